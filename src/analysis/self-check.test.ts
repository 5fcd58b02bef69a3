import { expect, test } from 'vitest';

import { seededRandom } from '../lib/random.ts';
import { selfCheck } from './self-check.ts';

const OPTIONS = { alpha: 0.05, margin: 0.05 };

test('a gate on repetitions of one run cries wolf in at most half of alpha, within chance', () => {
  const random = seededRandom(3);
  const scores = Array.from({ length: 40 }, () => {
    const level = 0.3 + 0.5 * random();
    return Array.from({ length: 6 }, () => level + 0.2 * random());
  });
  const found = selfCheck(scores, OPTIONS);
  expect(found).toMatchObject({ splits: 1000, cases: 40, nominal: 0.025, criesWolf: false });
  expect(found?.share).toBeGreaterThan(0.008);
  expect(found?.share).toBeLessThan(0.04);
  expect(selfCheck(scores, OPTIONS)).toEqual(found);
});

test('repetitions that all agree never cry, and cases without repetitions are left out', () => {
  const found = selfCheck([...Array.from({ length: 10 }, () => [1, 1, 1]), [0], [1]], OPTIONS);
  expect(found).toEqual({
    splits: 1000,
    cases: 10,
    varying: 0,
    fewest: 6,
    alarms: 0,
    share: 0,
    nominal: 0.025,
    criesWolf: false,
  });
  expect(selfCheck([[0], [1]], OPTIONS)).toBeNull();
});

test('a run with too few varying cases for a regression says so', () => {
  const five = [...Array.from({ length: 5 }, () => [1, 0]), [1, 1, 1]];
  expect(selfCheck(five, OPTIONS)).toMatchObject({ cases: 6, varying: 5, fewest: 6, alarms: 0 });
  expect(selfCheck(five, { ...OPTIONS, alpha: 0.1 })).toMatchObject({ varying: 5, fewest: 5 });
});
