import { describe, expect, test } from 'vitest';

import {
  calledEquivalent,
  designs,
  equivalenceDesigns,
  falseAlarms,
  found,
  mostFalselyEquivalent,
  type Design,
  type Fall,
} from './simulation.fixture.ts';

const PAIRS = 2000;
const PLANTED = 150;
const TIMEOUT_MS = 60_000;

const namesOf = (list: readonly Design[]) =>
  list.map((design): [string, Design] => [
    `${design.cases} cases x ${design.repetitions.join(' and ')}, ${design.measure}`,
    design,
  ]);
const named = namesOf(designs);

describe.each(named)('%s', (_, design) => {
  test('unchanged runs are called changed in at most 6.5 % of pairs', { timeout: TIMEOUT_MS }, () => {
    expect(falseAlarms(design, PAIRS)).toBeLessThanOrEqual(0.065);
  });
});

test('a score of many digits is called changed as often as promised', { timeout: TIMEOUT_MS }, () => {
  const design: Design = { measure: 'score', cases: 100, repetitions: [5, 5] };
  expect(designs).toContainEqual(design);
  expect(falseAlarms(design, PAIRS)).toBeGreaterThanOrEqual(0.035);
});

describe.each(named.filter(([, design]) => canLose(design)))('%s', (_, design) => {
  test(
    'twice the smallest change that they report is found in at least 95 % of pairs',
    { timeout: TIMEOUT_MS },
    () => expect(found(design, PLANTED, 2).share).toBeGreaterThanOrEqual(0.95),
  );
});

describe.each(namesOf(equivalenceDesigns))('%s', (_, design) => {
  test.each<Fall>(['every case', 'a few cases'])(
    'a fall of %s by the margin is called equivalent in at most 3.5 %% of pairs',
    { timeout: TIMEOUT_MS },
    (fall) => expect(calledEquivalent(design, PAIRS, fall)).toBeLessThanOrEqual(0.035),
  );
});

test('of cases that pass or fail once, a fall by the margin is called equivalent in at most 2.5 %', () => {
  const counts = [...Array.from({ length: 39 }, (_, i) => 20 + 5 * i), 72, 73, 300, 400];
  const most = counts.map((cases) => ({ cases, ...mostFalselyEquivalent(cases) }));
  expect(most.filter(({ share }) => share > 0.025)).toEqual([]);
  expect(Math.max(...most.map(({ share }) => share))).toBeGreaterThan(0.02);
});

test.each<[Design['measure'], number, number, number]>([
  ['pass or fail, mostly passing', 400, 1, 0.7],
  ['pass or fail, mostly passing', 150, 5, 0.7],
  ['score', 150, 5, 0.9],
])('%s: %d unchanged cases x %d are called equivalent often enough', (measure, cases, times, least) => {
  const design: Design = { measure, cases, repetitions: [times, times] };
  expect(calledEquivalent(design, 400, 'none')).toBeGreaterThanOrEqual(least);
});

/** So few cases that flip can only lose more than they have. */
function canLose({ measure, cases, repetitions: [once] }: Design): boolean {
  return !measure.startsWith('pass or fail') || once > 1 || cases > 20;
}
