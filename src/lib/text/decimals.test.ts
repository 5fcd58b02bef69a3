import { expect, test } from 'vitest';

import { round9 } from './decimals.ts';

test.each([
  [0.7 * 0.75 + 0.3 * 0.25, 0.6],
  [0.9 - 0.8, 0.1],
  [1 / 3, 0.333333333],
  [2 / 3, 0.666666667],
  [0.1 + 0.2, 0.3],
  [1, 1],
  [0, 0],
  [0.7999999994, 0.799999999],
  [0.7999999996, 0.8],
])('%d is %d', (value, rounded) => {
  expect(round9(value)).toBe(rounded);
});
