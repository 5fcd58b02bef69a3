import { expect, test } from 'vitest';

import { differenceText, isSameList, pointsText, ratioTexts, smallestText, valueText } from './points.ts';

const SCORE = { on: 'score', scale: 'fraction' } as const;
const PASSED = { on: 'passed', scale: 'fraction' } as const;

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
  expect(smallestText({ smallestSeen: 0.162 })).toBe('about 16 points');
  expect(smallestText({ smallestSeen: 0.0003 })).toBe('less than 0.1 points');
});

test('two lists of the same cases are the same in any order', () => {
  const [a, b] = [
    { suite: 's', caseId: 'a' },
    { suite: 's', caseId: 'b' },
  ];
  expect([isSameList([a, b], [b, a]), isSameList([a], [b]), isSameList([], [])]).toEqual([true, false, true]);
});

test('scores are not shown as rates', () => {
  expect([valueText(SCORE, 0.55), differenceText(SCORE, -0.45), differenceText(SCORE, 0.2)]).toEqual([
    '0.55',
    '-0.45',
    '+0.2',
  ]);
  expect([valueText(PASSED, 0.55), differenceText(PASSED, -0.45)]).toEqual(['55 %', '-45 points']);
});

test('cost and time have a ratio and both medians', () => {
  const found = {
    base: 1600,
    candidate: 2300,
    ratio: 1.372,
    interval: { lower: 1.11, upper: 1.63 },
    cases: 1,
  };
  expect(ratioTexts('latencyMs', found)).toEqual({
    title: 'Latency of a turn',
    value: '× 1.37',
    interval: '95 % interval [1.11, 1.63]',
    medians: 'median 1.6 s → 2.3 s, 1 case',
  });
  expect(ratioTexts('costUsd', { ...found, base: 0.01, candidate: 0.02, interval: null, cases: 3 })).toEqual({
    title: 'Cost of the agent',
    value: '× 1.37',
    interval: undefined,
    medians: 'median $0.01 → $0.02, 3 cases',
  });
});

test('scores of stored cases and their differences are in points of 100', () => {
  const percent = { on: 'score', scale: 'percent' } as const;
  expect([valueText(percent, 0.885), differenceText(percent, -0.45)]).toEqual(['88.5', '-45 points']);
});
