import { describe, expect, test } from 'vitest';

import {
  anyOfSeveral,
  calledEquivalent,
  designs,
  equivalenceDesigns,
  failedAgain,
  falseAlarms,
  falseAlarmsBySigns,
  found,
  type Design,
  type Fall,
} from './simulation.fixture.ts';

const PAIRS = 2000;
/** Trials that are drawn anew take longer than signs. */
const FEWER_PAIRS = 400;
const PLANTED = 150;
/** A tenth of the default, at which an alpha of 0.05 is held as exactly. */
const DRAWS = 999;

const namesOf = (list: readonly Design[]) =>
  list.map((design): [string, Design] => [
    `${design.cases} cases x ${design.repetitions.join(' and ')}, ${design.measure}`,
    { ...design, draws: DRAWS },
  ]);
const named = namesOf(designs);

describe.each(named)('%s', (_, design) => {
  test('unchanged runs are called changed in at most 6.5 % of pairs', () => {
    expect(falseAlarms(design, pairsOf(design))).toBeLessThanOrEqual(0.065);
  });
});

test('a score of many digits is called changed as often as promised', () => {
  const design: Design = { measure: 'score', cases: 100, repetitions: [5, 5] };
  expect(designs).toContainEqual(design);
  expect(falseAlarms({ ...design, draws: DRAWS }, PAIRS)).toBeGreaterThanOrEqual(0.035);
});

describe.each(named.filter(([, design]) => canLose(design)))('%s', (_, design) => {
  test('twice the smallest change that they report is found in at least 95 % of pairs', () =>
    expect(found(design, PLANTED, 2).share).toBeGreaterThanOrEqual(0.95));
});

describe.each(namesOf(equivalenceDesigns))('%s', (_, design) => {
  test.each<Fall>(['every case', 'a few cases'])(
    'a fall of %s by the margin is called equivalent in at most a tenth of pairs',
    (fall) => expect(calledEquivalent(design, pairsOf(design), fall)).toBeLessThanOrEqual(0.1),
  );
});

test.each<[Design['measure'], number, number, number]>([
  ['pass or fail, mostly passing', 400, 1, 0.7],
  ['pass or fail, mostly passing', 150, 5, 0.7],
  ['score', 150, 5, 0.9],
])('%s: %d unchanged cases x %d are called equivalent often enough', (measure, cases, times, least) => {
  const design: Design = { measure, cases, repetitions: [times, times], draws: DRAWS };
  expect(calledEquivalent(design, 400, 'none')).toBeGreaterThanOrEqual(least);
});

function pairsOf({ repetitions: [base, candidate] }: Design): number {
  return base === candidate ? PAIRS : FEWER_PAIRS;
}

test('signs alone would cry wolf where a case runs once and then ten times', () => {
  const design: Design = { measure: 'pass or fail, mostly passing', cases: 20, repetitions: [1, 10] };
  expect(designs).toContainEqual(design);
  expect(falseAlarmsBySigns(design, PAIRS)).toBeGreaterThan(0.09);
});

test('of eight unchanged targets one seems changed too often alone, and not together', () => {
  const design: Design = { measure: 'score', cases: 30, repetitions: [1, 1], draws: DRAWS };
  const { alone, together } = anyOfSeveral(design, 8, FEWER_PAIRS);
  expect(alone).toBeGreaterThan(0.15);
  expect(together).toBeLessThanOrEqual(0.065);
});

test('cases that are run again because they failed improve by themselves', () => {
  const design: Design = { measure: 'pass or fail, mixed', cases: 40, repetitions: [1, 1] };
  expect(failedAgain(design, FEWER_PAIRS)).toBeGreaterThan(0.5);
});

/** So few cases that flip can only lose more than they have. */
function canLose({ measure, cases, repetitions: [once] }: Design): boolean {
  return !measure.startsWith('pass or fail') || once > 1 || cases > 20;
}
