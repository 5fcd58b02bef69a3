import { expect, test } from 'vitest';

import { timeOf } from '../../../test/support/held-time.ts';
import { pause } from './clock.ts';

test('a pause takes its time', async () => {
  expect(await timeOf(() => pause(15, new AbortController().signal))).toBe(15);
});

test('a pause ends at once with the reason of the signal', async () => {
  const stop = new AbortController();
  const waiting = pause(60_000, stop.signal);
  stop.abort('enough');
  await expect(waiting).rejects.toBe('enough');
  await expect(pause(60_000, stop.signal)).rejects.toBe('enough');
});
