import { expect, onTestFinished, test, vi } from 'vitest';

import { waitingLine } from './waiting-line.ts';

test('a second check enters when the first leaves', async () => {
  const line = waitingLine();
  await line.room();
  const second = line.room().then(() => 'in');
  line.leave();
  expect(await second).toBe('in');
});

test('a check that waits for long gets room beside one that never ends', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const line = waitingLine();
  await line.room();
  let entered = false;
  const second = line.room().then(() => (entered = true));
  await vi.advanceTimersByTimeAsync(200);
  expect(entered).toBe(false);
  await vi.advanceTimersByTimeAsync(400);
  await second;
  expect(entered).toBe(true);
});
