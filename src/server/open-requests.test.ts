import { Hono } from 'hono';
import { expect, test } from 'vitest';

import { openRequests } from './open-requests.ts';

test('a server that stops refuses what arrives, and waits for what it has begun', async () => {
  const requests = openRequests();
  const app = new Hono();
  const order: string[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let come = (): void => {};
  const came = new Promise<void>((resolve) => (come = resolve));
  app.use('*', requests.counted);
  app.get('/held', async (context) => {
    come();
    await held;
    order.push('answered');
    return context.text('done');
  });
  const first = app.request('/held');
  await came;
  requests.stop();
  const late = await app.request('/held');
  const { error } = (await late.json()) as { readonly error: { readonly code: string } };
  expect([late.status, error.code, late.headers.get('connection')]).toEqual([
    503,
    'server-stopping',
    'close',
  ]);
  const settled = requests.settled(60_000).then(() => order.push('settled'));
  release();
  await settled;
  expect([...order, await (await first).text()]).toEqual(['answered', 'settled', 'done']);
});
