import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ended, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { viewedRuns } from '../../test/support/viewed-runs.ts';
import { folderOfTests } from '../../test/support/test-folders.ts';

const { begin, asked } = viewedRuns();

const project = folderOfTests('assay-judging-');

const digest = 'd'.repeat(64);

async function judgedRun(): Promise<string> {
  const run = await begin(1000, 1, { projectRoot: project, digests: ['c', digest] });
  const grade = {
    name: 'polite',
    type: 'llm-judge',
    weight: 1,
    reason: '',
    durationMs: 1,
    model: 'm',
    digest: 1,
  };
  const log = run.openLog(0);
  await log.append([ended(rowOf('a', { grades: [{ ...grade, score: 1, passed: true }] }))]);
  log.writeRows();
  log.close();
  run.save({ ...run.manifest, state: 'completed' });
  run.release();
  return run.manifest.id;
}

function calibrate(kappa: number): void {
  const measured = { value: kappa, lower: 0.5, upper: 0.9 };
  const graders = [
    {
      expectation: 'polite',
      type: 'llm-judge',
      judge: 'm',
      digests: [digest],
      runId: 'r',
      seed: 1,
      calibratedAt: '',
      by: ['ann'],
      labels: 60,
      cases: 30,
      pairs: 30,
      truePasses: 15,
      falsePasses: 0,
      trueFails: 15,
      falseFails: 0,
      sensitivity: null,
      specificity: null,
      kappa: measured,
    },
  ];
  writeFileSync(join(project, 'assay.calibration.json'), JSON.stringify({ formatVersion: 1, graders }));
}

/** The field next to the judged numbers of a run, in every response. */
async function saidOf(id: string): Promise<readonly unknown[]> {
  const run = await asked(`/runs/${id}`);
  const [listed] = (await asked('/runs')).data;
  const [point] = (await asked('/trends')).data;
  const [target] = run['by_target'] as readonly { judging: unknown }[];
  const said = [run['judging'], listed?.['judging'], point?.['judging'], target?.judging] as {
    says: string;
  }[];
  const trial = (await asked(`/runs/${id}/trials/1`))['judges'] as readonly { says: string }[];
  const judges = (await asked(`/runs/${id}/judges`)).data as unknown as readonly { says: string }[];
  return [...said, ...trial, ...judges].map(({ says }) => says);
}

test('every judged number says the same of its judge, and follows the project', async () => {
  const id = await judgedRun();
  expect(new Set(await saidOf(id))).toEqual(new Set(['not calibrated']));
  calibrate(0.71);
  expect(new Set(await saidOf(id))).toEqual(
    new Set(['calibrated on 60 labels of 30 cases, kappa 0.71 [0.5, 0.9]']),
  );
  expect((await asked(`/runs/${id}/judges`)).data).toMatchObject([
    {
      expectation: 'polite',
      models: ['m'],
      passed: 1,
      decided: 1,
      state: 'current',
      calibration: { labels: 60 },
    },
  ]);
  writeFileSync(join(project, 'assay.calibration.json'), '{');
  const [damaged, ...others] = await saidOf(id);
  expect(damaged).toContain('is not a valid calibration file');
  expect(new Set(others)).toEqual(new Set([damaged]));
});

test('a run of very many graders tells the number of all of them', async () => {
  const run = await begin(1000, 1, { projectRoot: project, digests: [digest] });
  const names = Array.from({ length: 201 }, (_, index) => `grader ${index}`);
  const grade = { type: 'llm-judge', weight: 1, reason: '', durationMs: 1, model: 'm', digest: 0 };
  const log = run.openLog(0);
  const grades = names.map((name) => ({ ...grade, name, score: 1, passed: true }));
  await log.append([ended(rowOf('a', { grades }))]);
  log.close();
  run.save({ ...run.manifest, state: 'completed' });
  run.release();
  const place = `/runs/${run.manifest.id}`;
  const { judging, by_target: targets } = await asked(place);
  expect([judging, ...(targets as { judging: unknown }[]).map((each) => each.judging)]).toMatchObject([
    { graders: 201, calibrated: 0 },
    { graders: 201, calibrated: 0 },
  ]);
  const judges = await asked(`${place}/judges`);
  expect([judges.data.length, judges['grader_count']]).toEqual([200, 201]);
});
