import { expect, test } from 'vitest';

import type { Grade } from '../core/grade.ts';
import { graderCounts, graderText } from './grader-totals.ts';

const grade = (name: string, score: number | null, more: Partial<Grade> = {}): Grade => ({
  name,
  type: 'contains',
  score,
  passed: score === 1,
  weight: 1,
  reason: '',
  durationMs: 0,
  ...more,
});

test('a grader is counted for each target, and undecided grades apart', () => {
  const counts = graderCounts();
  counts.add({ target: 'b', grades: [grade('polite', 1), grade('short', 0.5)] });
  counts.add({ target: 'a', grades: [grade('polite', null)] });
  counts.add({ target: 'b', grades: [grade('polite', 0)] });
  expect(counts.totals(['a', 'b', 'c'])).toEqual([
    {
      name: 'polite',
      kind: 'grader',
      targets: [
        { target: 'a', graded: 0, passed: 0, errored: 1, mean: null },
        { target: 'b', graded: 2, passed: 1, errored: 0, mean: 0.5 },
      ],
    },
    {
      name: 'short',
      kind: 'grader',
      targets: [{ target: 'b', graded: 1, passed: 0, errored: 0, mean: 0.5 }],
    },
  ]);
});

test('an expected outcome that was left out on purpose is no errored grade', () => {
  const counts = graderCounts();
  const leftOut = grade('expected_outcomes/outcome/Refunded.', null, { outcome: 'Refunded.', weight: 0 });
  counts.add({ target: 'a', grades: [grade('polite', 1), leftOut] });
  counts.add({ target: 'a', grades: [{ ...leftOut, name: 'broken', required: 1 }] });
  const totals = counts.totals(['a']).map(({ name, targets }) => [name, targets[0]?.errored]);
  expect(totals).toEqual([
    ['polite', 0],
    ['broken', 1],
  ]);
});

test('graders of one metric are counted together, apart from a grader of that name', () => {
  const counts = graderCounts();
  const metric = 'facts';
  counts.add({
    target: 'a',
    grades: [grade('one', 1, { metric }), grade('two', 0, { metric }), grade('facts', 1)],
  });
  const totals = counts.totals(['a']).map(({ name, kind, targets }) => [name, kind, targets[0]?.graded]);
  expect(totals).toEqual([
    ['facts', 'metric', 2],
    ['facts', 'grader', 1],
  ]);
});

test('a run with a name for each case keeps only the first names', () => {
  const counts = graderCounts();
  for (let index = 0; index < 1_005; index++) counts.add({ target: 'a', grades: [grade(`g${index}`, 1)] });
  counts.add({ target: 'a', grades: [grade('g0', 0)] });
  expect({ names: counts.totals(['a']).length, left: counts.left() }).toEqual({ names: 1_000, left: 5 });
  expect(counts.totals(['a'])[0]?.targets[0]?.graded).toBe(2);
});

test('a total is a share, a mean and what was not decided', () => {
  const total = { target: 'a', graded: 4, passed: 3, errored: 1, mean: 0.8 };
  expect(graderText(total)).toBe('75 % of 4, mean 0.8, 1 errored');
  expect(graderText({ ...total, errored: 0 })).toBe('75 % of 4, mean 0.8');
  expect(graderText({ ...total, graded: 0, passed: 0, mean: null })).toBe('1 errored');
});
