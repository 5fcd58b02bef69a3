import { expect, onTestFinished, test, vi } from 'vitest';

import { punctualTimer } from './punctual-timer.ts';

/** A timer of 200 ms that fires when the clock says `lateMs` more than that; what it was called with since. */
function firedLate(lateMs: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
  const onTime = vi.fn<() => void>();
  const timer = punctualTimer(200, onTime);
  clock.mockReturnValue(200 + lateMs);
  vi.advanceTimersByTime(200);
  return { timer, calls: () => onTime.mock.calls.length };
}

test('a timer in time, or a little late, has fired', () => {
  expect(firedLate(99).calls()).toBe(1);
});

test.each([
  [150, 150],
  [5_000, 200],
])('one that is %i ms late waits for %i ms more, once', (lateMs, moreMs) => {
  const { calls } = firedLate(lateMs);
  vi.advanceTimersByTime(moreMs - 1);
  expect(calls()).toBe(0);
  vi.advanceTimersByTime(1);
  expect(calls()).toBe(1);
});

test('stopped, it does not fire, also while it waits for more', () => {
  const { timer, calls } = firedLate(1_000);
  timer.stop();
  vi.advanceTimersByTime(10_000);
  expect(calls()).toBe(0);
});
