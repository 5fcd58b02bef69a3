import { expect, test } from 'vitest';

import { rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { usageOf } from '../core/usage.ts';
import { collectSpending } from './spending.ts';

const found = (rows: readonly ReturnType<typeof rowOf>[]) => {
  const collector = collectSpending();
  for (const row of rows) collector.add(row);
  return collector.spending();
};

test('adds up money and tokens by role, target and case', () => {
  const usage = { agent: usageOf(10, 5), judge: usageOf(1, 1) };
  const { total, targets, cases, caseCount } = found([
    rowOf('a', { costUsd: { agent: 0.1, judge: 0.2 }, usage, durationMs: 5 }),
    rowOf('a', { target: 'other', costUsd: { agent: 0.3 }, usage, durationMs: 7 }),
    rowOf('b', { costUsd: { agent: 1, user: null } }),
  ]);
  expect(total).toEqual({
    trials: 3,
    whole: { knownUsd: 1.6, known: 2, unknown: 1 },
    roles: {
      agent: { knownUsd: 1.4, known: 3, unknown: 0 },
      user: { knownUsd: 0, known: 0, unknown: 1 },
      judge: { knownUsd: 0.2, known: 1, unknown: 0 },
    },
    usage: { agent: usageOf(20, 10), judge: usageOf(2, 2) },
  });
  expect(targets.map(({ target, trials, whole }) => [target, trials, whole.knownUsd])).toEqual([
    ['t', 2, 1.3],
    ['other', 1, 0.3],
  ]);
  expect(cases).toEqual([
    {
      suite: 's',
      caseId: 'b',
      trials: 1,
      cost: { knownUsd: 1, known: 0, unknown: 1 },
      durationMs: expect.any(Number),
    },
    { suite: 's', caseId: 'a', trials: 2, cost: { knownUsd: 0.6, known: 2, unknown: 0 }, durationMs: 12 },
  ]);
  expect(caseCount).toBe(2);
});

test('the dearest are of known cost, and the slowest were measured', () => {
  const { dearest, slowest } = found([
    rowOf('a', { costUsd: { agent: 0.1 }, durationMs: 5 }),
    rowOf('b', { costUsd: { agent: 0.2 }, durationMs: 3 }),
    rowOf('c', { costUsd: { agent: 9, judge: null }, durationMs: 99, verdict: 'errored', status: 'errored' }),
    rowOf('d', { costUsd: {}, durationMs: 5 }),
  ]);
  expect(dearest.map(({ caseId }) => caseId)).toEqual(['b', 'a']);
  expect(slowest.map(({ caseId }) => caseId)).toEqual(['a', 'd', 'b']);
});

test('only the first of many are listed', () => {
  const { cases, caseCount, dearest } = found(
    Array.from({ length: 300 }, (_, at) => rowOf(`c${at}`, { costUsd: { agent: at } })),
  );
  expect([cases.length, caseCount, cases[0]?.caseId]).toEqual([100, 300, 'c299']);
  expect(dearest.map(({ caseId }) => caseId).slice(0, 2)).toEqual(['c299', 'c298']);
});
