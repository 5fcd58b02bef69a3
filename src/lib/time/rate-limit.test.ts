import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { rateLimit } from './rate-limit.ts';

test('one more than allowed waits until the oldest is a window ago', () => {
  const limit = rateLimit({ most: 3, windowMs: 1000 });
  expect([0, 100, 200, 300, 999, 1000, 1001].map((now) => limit.take('ann', now))).toEqual([
    0, 0, 0, 700, 1, 0, 99,
  ]);
  expect(limit.take('bob', 300)).toBe(0);
});

test('the 601st request of a minute is refused', () => {
  const limit = rateLimit({ most: 600, windowMs: 60_000 });
  const waits = Array.from({ length: 601 }, (_, index) => limit.take('ann', index));
  expect(waits.filter((wait) => wait > 0)).toEqual([59_400]);
});

test('looking counts nothing, and counting refuses nothing', () => {
  const limit = rateLimit({ most: 1, windowMs: 10 });
  expect([limit.waitMs('ann', 0), limit.waitMs('ann', 0)]).toEqual([0, 0]);
  limit.count('ann', 0);
  limit.count('ann', 5);
  expect([limit.waitMs('ann', 5), limit.waitMs('ann', 15)]).toEqual([10, 0]);
});

test('no window ever holds more than allowed', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 200 });
  const holds = fc.property(fc.integer({ min: 1, max: 5 }), steps, (most, waits) => {
    const limit = rateLimit({ most, windowMs: 100 });
    let now = 0;
    const taken = waits.flatMap((wait) => {
      now += wait;
      return limit.take('ann', now) === 0 ? [now] : [];
    });
    const crowded = taken.filter((time, index) => (taken[index + most] ?? Infinity) - time < 100);
    expect(crowded).toEqual([]);
  });
  fc.assert(holds);
});
