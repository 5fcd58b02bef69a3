import { expect, test } from 'vitest';

import { runVerdicts } from './run-verdicts.ts';

const trial = (runId: string, number: number, status: 'passed' | 'failed' | 'errored') => ({
  runId,
  number,
  verdict: status,
  status,
});

test('repetitions of a run are one verdict: the worst one, with how often each occurs', () => {
  const trials = [
    trial('b', 3, 'failed'),
    trial('b', 2, 'failed'),
    trial('b', 1, 'passed'),
    trial('a', 1, 'passed'),
  ];
  expect(runVerdicts(trials, 5)).toEqual([
    { runId: 'b', status: 'failed', number: 2, counts: { failed: 2, passed: 1 } },
    { runId: 'a', status: 'passed', number: 1, counts: { passed: 1 } },
  ]);
  expect(runVerdicts(trials, 1).map(({ runId }) => runId)).toEqual(['b']);
  expect(runVerdicts([], 5)).toEqual([]);
});
