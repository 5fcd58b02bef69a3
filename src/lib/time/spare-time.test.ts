import { expect, test } from 'vitest';

import { spareTime } from './spare-time.ts';

/** A loop that can be told how it spent its time. */
function loop() {
  let [idle, active] = [0, 0];
  const hasSpare = spareTime(
    () => idle + active,
    () => ({ idle, active }),
  );
  return {
    hasSpare,
    spend(idleMs: number, activeMs: number) {
      idle += idleMs;
      active += activeMs;
    },
  };
}

test('nothing is known at first', () => {
  expect(loop().hasSpare()).toBe(false);
});

test('a loop that mostly waited has time to spare, one that mostly worked has none', () => {
  const { hasSpare, spend } = loop();
  spend(40, 20);
  expect(hasSpare()).toBe(true);
  spend(20, 40);
  expect(hasSpare()).toBe(false);
});

test('only the last stretch counts, and a short one does not', () => {
  const { hasSpare, spend } = loop();
  spend(1000, 100);
  expect(hasSpare()).toBe(true);
  spend(0, 49);
  expect(hasSpare()).toBe(true);
  spend(0, 1);
  expect(hasSpare()).toBe(false);
});

test('the loop of this process is looked at when no other is given', async () => {
  const hasSpare = spareTime();
  const until = performance.now() + 60;
  while (performance.now() < until);
  expect(hasSpare()).toBe(false);
});
