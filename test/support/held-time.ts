import { onTestFinished, vi } from 'vitest';

/** Time stands still for the rest of the test, but for what is passed by the result. */
export function heldTime(): (ms: number) => Promise<unknown> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => vi.advanceTimersByTimeAsync(ms);
}

/** How many milliseconds work waits for, on a clock that goes on only while it waits. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const goOn = heldTime();
  let isOver = false;
  let passedMs = 0;
  const done = work().finally(() => (isOver = true));
  await goOn(0);
  while (!isOver) {
    await goOn(1);
    passedMs += 1;
  }
  await done;
  return passedMs;
}
