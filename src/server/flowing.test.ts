import { expect, test } from 'vitest';

import { heldTime } from '../../test/support/held-time.ts';
import { flowing } from './flowing.ts';
import type { Refusal } from './refusal.ts';

const CHUNK = new Uint8Array([1]);

/** Chunks that come after these times; then nothing comes any more. */
async function* after(...times: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const ms of times) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    yield CHUNK;
  }
  await new Promise(() => undefined);
}

test('a body may take hours while its bytes come, and ends when none comes for a minute', async () => {
  const goOn = heldTime();
  let count = 0;
  const reading = (async () => {
    for await (const chunk of flowing(after(...Array<number>(240).fill(59_000)))) count += chunk.length;
  })().catch((error: Refusal) => [error.status, error.refused.code]);
  for (let told = 0; told < 240; told += 1) await goOn(59_000);
  expect(count).toBe(240);
  await goOn(60_000);
  expect(await reading).toEqual([408, 'body-stands-still']);
});

test('the time of a slow reader does not count', async () => {
  const goOn = heldTime();
  const chunks = flowing(after(0, 0));
  const first = chunks.next();
  await goOn(0);
  expect(await first).toEqual({ done: false, value: CHUNK });
  await goOn(600_000);
  const second = chunks.next();
  await goOn(0);
  expect(await second).toEqual({ done: false, value: CHUNK });
});
