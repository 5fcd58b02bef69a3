import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../test/contracts/target.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Row } from '../core/run.ts';
import { all, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { gradeRun } from './grade-run.ts';
import { storedRuns } from '../../test/support/stored-runs.ts';

const suite = 'some.eval.yaml';
const failed = { suite, verdict: 'failed', status: 'failed', passed: false, score: 0 } as const;

/** A run whose agent said hello twice and failed, in a project that now expects this of it. */
async function gradedProject(expected: string, manifest: Partial<Manifest> = {}) {
  const folder = temporaryFolder();
  const stored = storedRuns();
  const assertions = [{ type: 'contains', value: expected }];
  const tests = ['one', 'two'].map((id) => ({ id, input: 'Hi', assert: assertions }));
  const config = { targets: { t: { type: 'mock', response: 'never asked' } } };
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config));
  writeFileSync(join(folder, suite), JSON.stringify({ tests }));
  const id = await stored.keep([rowOf('one', failed), rowOf('two', { ...failed, number: 2 })], {
    cwd: folder,
    projectRoot: folder,
    settings: { options: { targets: [] } },
    suites: [{ id: suite, name: suite, file: join(folder, suite), digest: 'd', cases: 2 }],
    ...manifest,
  });
  const surroundings = { ...stored.surroundings, cwd: folder };
  return { ...stored, id, site: { ...stored.site, surroundings } };
}

const outcomes = (rows: readonly Row[]) =>
  rows.map(({ caseId, status, grades }) => [caseId, status, grades.map(({ score }) => score)]);

test('stored transcripts are graded with the current expectations, in a new run', async () => {
  const { runs, id, site } = await gradedProject('hello');
  const { exitCode, summary } = await gradeRun({ run: 'latest', suites: [], isTrusted: true }, site);
  const made = runs.open(summary.id);
  const { kind, sourceRunId, state } = await made.manifest();
  expect({ exitCode, kind, sourceRunId, state, rows: outcomes(await all(made.rows())) }).toEqual({
    exitCode: 0,
    kind: 'grade',
    sourceRunId: id,
    state: 'completed',
    rows: [
      ['one', 'passed', [1]],
      ['two', 'passed', [1]],
    ],
  });
  expect(outcomes(await all(runs.open(id).rows()))).toEqual([
    ['one', 'failed', []],
    ['two', 'failed', []],
  ]);
});

test('expectations that do not hold fail the new run', async () => {
  const { site } = await gradedProject('goodbye');
  const { exitCode, summary } = await gradeRun({ run: 'latest', suites: [], isTrusted: true }, site);
  expect([exitCode, summary.totals.counts]).toEqual([1, expect.objectContaining({ passed: 0, failed: 2 })]);
});

test('a merged run that lacks shards lacks them when it is graded again', async () => {
  const graded = async (isAllowed: boolean) => {
    const partial = { missingShards: ['3/3'], isAllowed };
    const { site } = await gradedProject('hello', { partial });
    const { exitCode, summary } = await gradeRun({ run: 'latest', suites: [], isTrusted: true }, site);
    return [exitCode, summary.partial];
  };
  expect(await graded(false)).toEqual([3, { missingShards: ['3/3'], isAllowed: false }]);
  expect(await graded(true)).toEqual([0, { missingShards: ['3/3'], isAllowed: true }]);
});

test('a reporter with hooks is not called, and that is said', async () => {
  const { site, shown } = await gradedProject('hello');
  const file = join(site.surroundings.cwd, 'hooks.mjs');
  writeFileSync(file, 'export const reporter = { onSuiteStart() { throw new Error("called"); } };');
  const { unwritten } = await gradeRun(
    { run: 'latest', suites: [], isTrusted: true },
    { ...site, presentation: { ...site.presentation, reporters: [file] } },
  );
  expect([unwritten, shown()]).toEqual([
    [],
    expect.stringContaining(
      'The reporter hooks.mjs is not called: hooks are only for assay run and assay resume.\n',
    ),
  ]);
});
