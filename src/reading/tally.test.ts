import { expect, test } from 'vitest';

import type { Row } from '../core/run.ts';
import { rowWith } from '../core/row.fixture.ts';
import { countedOf, emptyTally, joined, tallied } from './tally.ts';
import { totalsOf } from './totals.ts';

const played = { costUsd: { user: null } } as const;
const unusable = (detail: string): Partial<Row> => ({
  ...played,
  verdict: 'errored',
  status: 'errored',
  score: null,
  error: { stage: 'user', kind: 'simulator', detail, code: detail, message: 'm' },
});

const totalOf = (rows: readonly Partial<Row>[]) =>
  totalsOf(rows.reduce((tally, each) => tallied(tally, countedOf(rowWith(each))), emptyTally));

test('of four conversations with a simulated user two with doubtful lines make a rate of 0.5, verdicts unchanged', () => {
  const { simulatorError, counts } = totalOf([
    played,
    { ...played, flags: ['unknown-fact'] },
    { ...played, flags: ['repeat', 'early-stop'] },
    played,
    {},
  ]);
  expect([simulatorError, counts.passed]).toEqual([{ value: 0.5, flagged: 2, simulated: 4 }, 5]);
});

test('a line that could not be used counts, a model that was out of reach does not', () => {
  expect(totalOf([unusable('blank'), unusable('unavailable')]).simulatorError).toEqual({
    value: 0.5,
    flagged: 1,
    simulated: 2,
  });
});

test('a trial is taken back whole, and two tallies join', () => {
  const flagged = countedOf(rowWith({ ...played, flags: ['repeat'] }));
  const one = tallied(emptyTally, flagged);
  expect(tallied(one, flagged, -1).simulated).toEqual({ trials: 0, flagged: 0 });
  expect(joined(one, one).simulated).toEqual({ trials: 2, flagged: 2 });
});

test('money that is known and money that is not stand apart for each role', () => {
  const { costUsd } = totalOf([
    { costUsd: { agent: 0.005, user: 0.001 } },
    { costUsd: { agent: 0.01, judge: 0.5 } },
    { costUsd: { agent: null, user: null } },
  ]);
  expect(costUsd).toEqual({
    agent: { knownUsd: 0.015, known: 2, unknown: 1 },
    user: { knownUsd: 0.001, known: 1, unknown: 1 },
    judge: { knownUsd: 0.5, known: 1, unknown: 0 },
  });
});

test('outcomes are counted as far as a judge decided them, and taken back with their trial', () => {
  const grade = { type: 'j', weight: 0, reason: '', durationMs: 0 };
  const outcome = (label: string, score: number | null) => ({
    ...grade,
    required: 0.8,
    name: label,
    outcome: label,
    score,
    passed: score === 1,
  });
  const judged = { grades: [outcome('a', 1), outcome('b', 0), outcome('c', null)] };
  const other = { grades: [outcome('a', 1), { ...grade, name: 'm', score: 1, passed: true }] };
  expect(totalOf([judged, other, {}]).outcomes).toEqual({ asked: 3, held: 2 });
  const both = [judged, other].reduce((tally, each) => tallied(tally, countedOf(rowWith(each))), emptyTally);
  expect(tallied(both, countedOf(rowWith(other)), -1).outcomes).toEqual({ asked: 2, held: 1 });
  expect(joined(both, both).outcomes).toEqual({ asked: 6, held: 4 });
});

test('a trial without a score is in no mean: 80, nothing and 90 are 85 of two', () => {
  const scores = [0.8, null, 0.9].map((score) => ({ score }));
  expect(totalOf(scores).score).toEqual({ mean: 0.85, n: 2 });
});

test('expected outcomes that a run leaves out are counted apart, and taken back', () => {
  const grade = { name: 'g', type: 't', weight: 0, reason: 'r', durationMs: 0 };
  const left = { ...grade, outcome: 'a', score: null, passed: false };
  const held = { ...grade, outcome: 'b', score: 1, passed: true, required: 0.8 };
  const trial = countedOf(
    rowWith({ grades: [left, held, { ...held, outcome: undefined }] as Row['grades'] }),
  );
  const counted = tallied(emptyTally, trial);
  const after = tallied(counted, trial, -1).outcomes;
  expect([counted.outcomes, joined(counted, counted).outcomes, after]).toEqual([
    { asked: 1, held: 1, unjudged: 1 },
    { asked: 2, held: 2, unjudged: 2 },
    { asked: 0, held: 0 },
  ]);
});
