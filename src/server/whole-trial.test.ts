import { expect, test } from 'vitest';

import { ended, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import type { Row } from '../core/run.ts';
import { failed, viewedRuns, type Answer } from '../../test/support/viewed-runs.ts';

const { begin, keep, ask, asked } = viewedRuns();

/** A run that graded the trials of another one again. */
async function graded(source: string, rows: readonly Row[]): Promise<string> {
  const digests = ['e'.repeat(64)];
  const run = await begin(2_000_000, rows.length, { kind: 'grade', sourceRunId: source, digests });
  await run.keepFrozen([{ digest: digests[0] ?? '', kind: 'expectation', body: { ask: 'kind?' } }]);
  const log = run.openLog(0);
  await log.append(rows.map(ended));
  log.writeRows();
  log.close();
  run.save({ ...run.manifest, state: 'completed' });
  run.release();
  return run.manifest.id;
}

const grade = { name: 'kind', type: 'llm-judge', score: 1, passed: true, weight: 1, reason: 'it is' };
const passed = rowOf('b', { number: 2, grades: [{ ...grade, durationMs: 1, model: 'm', digest: 0 }] });

const codeOf = async (path: string) => {
  const answer = await ask(path);
  const { error } = (await answer.json()) as Answer;
  return [answer.status, error?.['code'], error?.['param']];
};

test('a trial is shown as another run graded it again, and without asking for it as its own run did', async () => {
  const id = await keep(1000, [ended(rowOf('a')), failed('b')]);
  const grading = await graded(id, [passed]);
  expect(await asked(`/runs/${id}/trials/2?grading=${grading}`)).toMatchObject({
    case_id: 'b',
    verdict: 'passed',
    grading,
    row: { grades: [{ name: 'kind' }] },
    frozen: [{ kind: 'expectation', body: { ask: 'kind?' } }],
    repetitions: [{ number: 2, verdict: 'passed' }],
    judges: [{ grade: 'kind', model: 'm', says: 'not calibrated' }],
  });
  expect(await asked(`/runs/${id}/trials/2`)).toMatchObject({ verdict: 'failed', grading: null });
});

test('a grading that is unknown, of another run or none at all is refused', async () => {
  const id = await keep(1000, [ended(rowOf('a')), failed('b')]);
  const other = await keep(1_000_000, [failed('b')]);
  const grading = await graded(other, [passed]);
  const notOfIt = [404, 'grading-not-found', 'grading'];
  expect(await codeOf(`/runs/${id}/trials/2?grading=${grading}`)).toEqual(notOfIt);
  expect(await codeOf(`/runs/${id}/trials/2?grading=${other}`)).toEqual(notOfIt);
  expect(await codeOf(`/runs/${id}/trials/2?grading=${id}`)).toEqual(notOfIt);
  expect(await codeOf(`/runs/${id}/trials/2?grading=20260101T000000Z-aaaaaa`)).toEqual([
    404,
    'run-not-found',
    null,
  ]);
  expect(await codeOf(`/runs/${id}/trials/2?grading=`)).toEqual([400, 'invalid-parameter', 'grading']);
});

test('a trial that the grading left out is not found in it', async () => {
  const id = await keep(1000, [ended(rowOf('a')), failed('b')]);
  const grading = await graded(id, [passed]);
  expect(await codeOf(`/runs/${id}/trials/1?grading=${grading}`)).toEqual([404, 'trial-not-found', null]);
});
