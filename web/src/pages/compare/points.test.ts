import { expect, test } from 'vitest';

import { isSameList, pointsText, smallestText } from './points.ts';

test('differences are points with their sign', () => {
  expect([0.125, -0.01, 0, 0.01].map(pointsText)).toEqual([
    '+12.5 points',
    '-1 point',
    '0 points',
    '+1 point',
  ]);
});

test('a comparison that could see no change says so', () => {
  expect(smallestText({ smallestSeen: null })).toBe('none: too few cases');
  expect(smallestText({ smallestSeen: 0.162 })).toBe('about 16.2 points');
  expect(smallestText({ smallestSeen: 0.0003 })).toBe('less than 0.1 points');
});

test('two lists of the same cases are the same in any order', () => {
  const [a, b] = [
    { suite: 's', caseId: 'a' },
    { suite: 's', caseId: 'b' },
  ];
  expect([isSameList([a, b], [b, a]), isSameList([a], [b]), isSameList([], [])]).toEqual([true, false, true]);
});
