import { expect, test } from 'vitest';

import { apiClient } from '../../src/api/client.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import { ended, rowOf } from '../../src/storage/run-directory/fixtures/runs.ts';
import { viewedRuns } from '../support/viewed-runs.ts';
import { gradingsOf } from '../../web/src/gradings.ts';

const { begin, url } = viewedRuns();

const keep = async (startedAt: number, more: Partial<Manifest>, caseId = 'a'): Promise<string> => {
  const run = await begin(startedAt, 1, more);
  const log = run.openLog(0);
  await log.append([ended(rowOf(caseId))]);
  log.writeRows();
  log.close();
  run.save({ ...run.manifest, state: 'completed' });
  run.release();
  return run.manifest.id;
};

const found = async (run: string) => {
  const trial = { number: 1, suite: 's', case_id: 'a', target: 't' };
  const { signal } = new AbortController();
  const gradings = await gradingsOf(apiClient(`${url()}/api/v1`), { run, trial, signal });
  return gradings.map((each) => [each.run.id, each.at]);
};

test('gradings of a removed run are found from each other', async () => {
  const sourceRunId = '20250101T000000Z-aaaaaa';
  const first = await keep(1000, { kind: 'grade', sourceRunId });
  const second = await keep(2000, { kind: 'grade', sourceRunId });
  const both = [second, first].map((id) => [id, { run: id }]);
  expect([await found(first), await found(second)]).toEqual([both, both]);
});

test('the first grading comes first, then the others that have the trial, newest first', async () => {
  const source = await keep(1000, {});
  const older = await keep(2000, { kind: 'grade', sourceRunId: source });
  const newer = await keep(3000, { kind: 'grade', sourceRunId: source });
  await keep(4000, { kind: 'grade', sourceRunId: source }, 'another case');
  const all = [
    [source, { run: source }],
    [newer, { run: source, grading: newer }],
    [older, { run: source, grading: older }],
  ];
  expect([await found(source), await found(older)]).toEqual([all, all]);
});

test('a grading is found behind two hundred newer ones of another run', async () => {
  const source = await keep(1000, {});
  const grading = await keep(2000, { kind: 'grade', sourceRunId: source });
  const other = await keep(3000, {});
  for (let at = 0; at < 200; at += 1) await keep(4000 + at * 1000, { kind: 'grade', sourceRunId: other });
  expect(await found(source)).toEqual([
    [source, { run: source }],
    [grading, { run: source, grading }],
  ]);
});
