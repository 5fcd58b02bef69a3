import { expect, test } from 'vitest';

import type { Row } from '../core/run.ts';
import { all, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { mergeRuns } from './merge-runs.ts';
import { storedRuns } from '../../test/support/stored-runs.ts';

const failing = { verdict: 'failed', status: 'failed', passed: false, score: 0 } as const;
const shard = (index: number) => ({ settings: { options: { shard: { index, of: 2 } } } });

test('runs that share no trial become one, with all of their trials and what the agents said', async () => {
  const { runs, keep, site, shown } = storedRuns();
  const ids = [await keep([rowOf('a')], shard(1)), await keep([rowOf('b', failing)], shard(2))];
  const { exitCode, summary } = await mergeRuns({ runs: ids, isPartialAllowed: false }, site);
  const { run } = await runs.find('latest');
  const manifest = await run.manifest();
  const names = ({ caseId, status, number }: Row) => [caseId, status, number];
  expect({
    exitCode,
    id: summary.id,
    counts: summary.totals.counts,
    mergedFrom: manifest.mergedFrom,
    trials: manifest.trials,
    rows: (await all(run.rows())).map(names),
    said: (await all(run.trials())).map(({ transcript }) => transcript.length),
  }).toEqual({
    exitCode: 1,
    id: manifest.id,
    counts: expect.objectContaining({ passed: 1, failed: 1 }) as unknown,
    mergedFrom: ids,
    trials: 2,
    rows: [
      ['a', 'passed', 1],
      ['b', 'failed', 2],
    ],
    said: [1, 1],
  });
  expect(shown()).toContain('1 passed, 1 failed');
});

test('a merged run does not have the name of the only case of a shard', async () => {
  const { runs, keep, site } = storedRuns();
  const suite = { id: 's', name: 's', file: 's', cases: 1, digest: 'd' };
  const part = (index: number, onlyCase: string) => ({ ...shard(index), suites: [{ ...suite, onlyCase }] });
  const ids = [await keep([rowOf('a')], part(1, 'A')), await keep([rowOf('b')], part(2, 'B'))];
  await mergeRuns({ runs: ids, isPartialAllowed: false }, site);
  const { run } = await runs.find('latest');
  expect((await run.manifest()).suites).toEqual([{ ...suite, cases: 2 }]);
});

test('a shard that is missing makes the result inconclusive, unless that is allowed', async () => {
  const { keep, site } = storedRuns();
  const of3 = (index: number) => ({ settings: { options: { shard: { index, of: 3 } } } });
  const ids = [await keep([rowOf('a')], of3(1)), await keep([rowOf('b')], of3(2))];
  const refused = await mergeRuns({ runs: ids, isPartialAllowed: false }, site);
  const allowed = await mergeRuns({ runs: ids, isPartialAllowed: true }, site);
  expect(
    [refused, allowed].map(({ exitCode, summary }) => [exitCode, summary.partial?.missingShards]),
  ).toEqual([
    [3, ['3/3']],
    [0, ['3/3']],
  ]);
});

test('runs that share a trial are refused', async () => {
  const { keep, site } = storedRuns();
  const ids = [await keep([rowOf('a')]), await keep([rowOf('a')])];
  await expect(mergeRuns({ runs: ids, isPartialAllowed: false }, site)).rejects.toMatchObject({
    code: 'merge-overlap',
  });
});

test('runs of targets that differ are refused', async () => {
  const { keep, site } = storedRuns();
  const ids = [
    await keep([rowOf('a')]),
    await keep([rowOf('b')], { digests: ['case', 'another', 'grader'] }),
  ];
  await expect(mergeRuns({ runs: ids, isPartialAllowed: false }, site)).rejects.toMatchObject({
    code: 'merge-different',
    message: 'these runs differ in target "t"',
  });
});

test('one run alone is refused', async () => {
  const { keep, site } = storedRuns();
  const work = mergeRuns({ runs: [await keep([rowOf('a')])], isPartialAllowed: false }, site);
  await expect(work).rejects.toMatchObject({ stage: 'plan' });
});
