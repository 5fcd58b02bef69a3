import { expect, test } from 'vitest';

import { pause } from './clock.ts';

test('a pause takes its time', async () => {
  const startedAt = performance.now();
  await pause(15, new AbortController().signal);
  expect(performance.now() - startedAt).toBeGreaterThan(10);
});

test('a pause ends with the reason of the signal, at once', async () => {
  const stop = new AbortController();
  const waiting = pause(60_000, stop.signal);
  stop.abort('enough');
  await expect(waiting).rejects.toBe('enough');
  await expect(pause(60_000, stop.signal)).rejects.toBe('enough');
});
