import { expect, test } from 'vitest';

import { isTimeLimit, LONGEST_TIME_MS, timeLimitMs } from './time-limit.ts';
import { weightKey } from '../../core/verdict.ts';

test('a time limit is as long as a timer can wait, and no longer', () => {
  const given = [0, 1, 1.5, LONGEST_TIME_MS, LONGEST_TIME_MS + 1, 1e308, '5'];
  const accepted = [false, true, false, true, false, false, false];
  expect(given.map(isTimeLimit)).toEqual(accepted);
  expect(given.map((each) => timeLimitMs().safeParse(each).success)).toEqual(accepted);
  expect(timeLimitMs().safeParse(2 ** 31).error?.issues[0]?.message).toBe(
    'expected at most 2147483647 milliseconds (24.8 days)',
  );
});

test('a weight is refused when sums of weights would overflow', () => {
  expect([0, 0.5, 1e9, 1e10, 1e308, -1].map((each) => weightKey().safeParse(each).success)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(weightKey().safeParse(1e308).error?.issues[0]?.message).toBe(
    'expected a weight of at most 1000000000',
  );
});
