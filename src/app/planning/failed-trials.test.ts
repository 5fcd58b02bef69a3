import { expect, test } from 'vitest';

import { rowOf } from '../../storage/run-directory/fixtures/runs.ts';
import { storedRuns } from '../../../test/support/stored-runs.ts';
import { failedTrials } from './failed-trials.ts';

const failed = { verdict: 'failed', status: 'failed', passed: false, score: 0 } as const;
const errored = { verdict: 'errored', status: 'errored', passed: false, score: null } as const;

const rows = [
  rowOf('a', { target: 'one' }),
  rowOf('a', { ...failed, target: 'two', number: 2 }),
  rowOf('b', { ...errored, target: 'one', number: 3 }),
];

async function takenFrom(reference: (id: string) => string): Promise<string[]> {
  const stored = storedRuns();
  const id = await stored.keep(rows);
  const { only: takes } = await failedTrials(reference(id), stored.runs);
  const { suite } = rowOf('a');
  return ['a', 'b'].flatMap((caseId) =>
    ['one', 'two'].flatMap((target) => (takes({ suite, caseId, target }) ? [`${caseId} on ${target}`] : [])),
  );
}

test('trials that failed or errored are taken, each on the target where it did', async () => {
  expect(await takenFrom((id) => id)).toEqual(['a on two', 'b on one']);
});

test('RUN#TARGET takes those of that target only', async () => {
  expect(await takenFrom((id) => `${id}#two`)).toEqual(['a on two']);
});

test('a target without a failure leaves an empty selection', async () => {
  const stored = storedRuns();
  const id = await stored.keep([
    rowOf('a', { target: 'one' }),
    rowOf('a', { ...failed, target: 'two', number: 2 }),
  ]);
  await expect(failedTrials(`${id}#one`, stored.runs)).rejects.toMatchObject({ code: 'empty-selection' });
});
