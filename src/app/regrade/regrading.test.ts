import { expect, test } from 'vitest';

import type { Emitted, Row } from '../../core/run.ts';
import { trialKey } from '../../core/trial.ts';
import { runSchedule } from '../../engine/run-schedule.ts';
import { expects, graderOf } from '../../engine/fixtures/trial-context.ts';
import { caseOf } from '../../engine/fixtures/suites.ts';
import { openEventStream } from '../../engine/event-stream.ts';
import { streamedSchedule } from '../../engine/streamed-schedule.ts';
import { memoryRuns } from '../../storage/memory/store.ts';
import { all, attemptOf, ended, manifestOf, rowOf } from '../../storage/run-directory/fixtures/runs.ts';
import { redactor } from '../../../test/support/written-runs.ts';
import { regrading, type StoredGrading } from './regrading.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const AT = '2026-01-01T00:00:00.000Z';

const trial = (row: Row, said: readonly string[]): readonly Emitted[] => [
  { at: AT, trial: trialKey(row), fact: { type: 'trial-start', number: row.number } },
  ...attemptOf(row.caseId, 1, said),
  ended(row),
];

const unreached: Partial<Row> = {
  verdict: 'errored',
  status: 'errored',
  passed: false,
  score: null,
  error: { stage: 'target', kind: 'timeout', code: 'timeout', message: 'too slow' },
};

test('the trials of a stored run are graded into another one, by their numbers, and the source stays as it was', async () => {
  const folder = folderOfTest('assay-regrading-');
  const store = memoryRuns(folder);
  const begin = () =>
    store.create({ startedAt: 0, redactor, manifest: (id) => manifestOf({ id, state: 'running' }) });
  const source = await begin();
  const rows = [
    rowOf('edited', { number: 2, output: 'two' }),
    rowOf('slow', { number: 1, ...unreached }),
    rowOf('removed', { number: 4, output: 'four' }),
    rowOf('other', { number: 3, target: 'left-out' }),
  ];
  const log = source.openLog(0);
  await log.append(rows.flatMap((row) => trial(row, [`said ${row.caseId}`])));
  log.close();
  const before = await all(source.stored.events());

  const made = await begin();
  const graded = made.openLog(0);
  const stream = openEventStream({ log: graded, sinks: [], now: () => 0, onFailure: () => {} });
  const grading: StoredGrading = {
    takes: ({ target }) => target !== 'left-out',
    caseOf: ({ caseId }) =>
      caseId === 'removed' ? undefined : caseOf(caseId, { expectations: [expects('fine')] }),
    digestsOf: () => ({ case: 7, graders: [9] }),
    carried: (digest) => digest,
    moved: (row) => source.stored.movedRow(row, made.stored),
    placeOf: made.stored.placeOf,
    artifact: source.stored.artifact,
    graderFor: () => graderOf([{ score: 0, reason: 'not good enough now' }]),
    conclude: ({ decision }) => ({ decision }),
    thresholdOf: () => 0.5,
    tellsToolCalls: () => true,
    source: { runId: source.manifest.id, seed: 1 },
  };
  const work = regrading(source.stored.trials(), grading, { ...stream, now: () => 0 });
  await using schedule = streamedSchedule(work.trials());
  const never = new AbortController().signal;
  const state = await runSchedule({
    schedule,
    context: work.context,
    runOne: work.runOne,
    concurrency: 2,
    failFast: false,
    control: { stop: never, abandon: never },
  });
  await stream.close();

  const now = new Map((await all(made.stored.rows())).map((row) => [row.caseId, row]));
  expect([state, [...now.keys()].toSorted()]).toEqual(['completed', ['edited', 'removed', 'slow']]);
  expect(now.get('edited')).toMatchObject({
    number: 2,
    verdict: 'failed',
    score: 0,
    threshold: 0.5,
    output: 'two',
    grades: [{ name: 'fine', digest: 9 }],
    notes: [
      'the case was edited after the run: the stored answer belongs to the old case, but is graded by the new one',
    ],
    digests: { case: 0, target: 0 },
  });
  expect(now.get('slow')).toEqual(rows[1]);
  expect(now.get('removed')).toMatchObject({
    number: 4,
    verdict: 'errored',
    output: 'four',
    error: { stage: 'grading', kind: 'grader', code: 'case-missing' },
  });
  const said = async (run: typeof source.stored) => run.transcripts(new Set(rows.slice(0, 3).map(trialKey)));
  expect(await said(made.stored)).toEqual(await said(source.stored));
  expect(await all(source.stored.events())).toEqual(before);
});
