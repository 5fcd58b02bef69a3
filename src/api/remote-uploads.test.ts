import { expect, test } from 'vitest';

import type { Clock } from '../lib/time/clock.ts';
import { remoteUploads } from './remote-uploads.ts';

const SHA256 = 'a'.repeat(64);

test('bytes are sent again when the server asks to wait', async () => {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => 0,
    after(timeMs, callBack) {
      waits.push(timeMs);
      queueMicrotask(callBack);
      return () => undefined;
    },
  };
  const bodies: string[] = [];
  const limited = { error: { code: 'rate-limited', message: 'too many', param: null, request_id: 'x' } };
  const answers = [
    Response.json(limited, { status: 429, headers: { 'Retry-After': '20' } }),
    Response.json(limited, { status: 429 }),
    Response.json({ sha256: SHA256 }),
  ];
  const ask: typeof fetch = async (_address, init) => {
    bodies.push(await new Response(init?.body).text());
    return answers.shift() ?? Response.error();
  };
  const content = async function* () {
    yield Buffer.from('hello');
  };
  await remoteUploads('http://server/api/v1', ask, clock).keep(SHA256, content);
  expect([bodies, waits]).toEqual([
    ['hello', 'hello', 'hello'],
    [20_000, 1000],
  ]);
});
