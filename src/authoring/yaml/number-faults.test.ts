import { expect, test } from 'vitest';

import { infiniteFaults } from './number-faults.ts';

test('numbers that are not finite are found by path', () => {
  const faults = infiniteFaults({ a: [1, NaN], b: { c: -Infinity, d: 'x', e: null } });
  expect(faults.map(({ code, path, message }) => [code, path, message])).toEqual([
    ['invalid-value', ['a', 1], 'a number must be finite'],
    ['invalid-value', ['b', 'c'], 'a number must be finite'],
  ]);
  expect(infiniteFaults(Infinity).map(({ path }) => path)).toEqual([[]]);
});
