import { expect, test } from 'vitest';

import { pointsText, smallestText } from './points.ts';

const result = { difference: 0, interval: { lower: 0, upper: 0 }, p: 1 };

test('differences are points with their sign', () => {
  expect([0.125, -0.01, 0, 0.01].map(pointsText)).toEqual([
    '+12.5 points',
    '-1 point',
    '0 points',
    '+1 point',
  ]);
});

test('a comparison that could see no change says so', () => {
  expect(smallestText({ ...result, pairs: 3, smallestSeen: null })).toBe(
    '3 cases are too few to see any change',
  );
  expect(smallestText({ ...result, pairs: 40, smallestSeen: 0.162 })).toBe(
    'about 16.2 points, with 40 cases',
  );
});
