import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Row } from '../../src/core/run.ts';
import type { RunOptions } from '../../src/core/run-options.ts';
import type { OpenRun, RunStore } from '../../src/core/run-store.ts';
import { createRedactor } from '../../src/lib/redact/redact.ts';
import { memoryRuns } from '../../src/storage/memory/store.ts';
import { manifestOf } from '../../src/storage/run-directory/fixtures/runs.ts';
import { planRun } from '../../src/app/planning/plan-run.ts';
import type { RunSite } from '../../src/app/conduct/run-site.ts';
import type { Presentation } from '../../src/app/present/presentation.ts';
import { resumeRun } from '../../src/app/resume-run.ts';
import type { ResumeRequest } from '../../src/app/resume/resume-request.ts';
import { startRun } from '../../src/app/start-run.ts';
import { beginRun } from '../../src/app/planning/begin-run.ts';
import { bind } from '../../src/app/binding/bind.ts';
import { folderOfTest } from './test-folders.ts';

const CONFIG = { targets: { bot: { type: 'mock', response: 'yes' } }, target: 'bot' };

const TESTS = [
  { id: 'wrong', input: 'is it not?', assert: [{ type: 'contains', value: 'no' }] },
  { id: 'right', input: 'is it?', assert: [{ type: 'contains', value: 'yes' }] },
] as const;

/** A project in a folder, its runs in memory, and what is said on the screen. */
export function openDesk(config: object = CONFIG) {
  const project = openFolder(config);
  const runs = memoryRuns(project.path('artifacts'));
  const { site, said } = quietly(project.folder, runs);
  const { surroundings } = site;
  const rows = () => rowsIn(runs);
  return {
    ...project,
    surroundings,
    runs,
    said,
    rows,
    verdicts: async () =>
      Object.fromEntries(((await rows()) as readonly Row[]).map(({ caseId, verdict }) => [caseId, verdict])),
    start: (flags: Partial<RunOptions> = {}, on: Partial<RunSite> = {}) =>
      startRun(asked(flags), { ...site, ...on }),
    resume: (request: Partial<ResumeRequest> = {}, on: Partial<RunSite> = {}) =>
      resumeRun(
        { run: 'latest', retry: [], acceptChanges: false, isTrusted: true, ...request },
        { ...site, ...on },
      ),
    /** With these reporters. */
    reporting: (...reporters: readonly string[]): Pick<RunSite, 'presentation'> => ({
      presentation: { ...site.presentation, reporters },
    }),
    /** Plans and keeps a run, and executes nothing. */
    async plan(flags: Partial<RunOptions> = {}): Promise<OpenRun> {
      const planned = await planRun({ options: asked(flags), surroundings });
      const run = await beginRun(bind(planned.spec, planned.machine), planned, surroundings);
      run.release();
      return run;
    },
    /** Begins a run that keeps no spec. */
    async begin(): Promise<string> {
      const redactor = createRedactor({ environment: {} });
      const run = await runs.create({ startedAt: 1, redactor, manifest: (id) => manifestOf({ id }) });
      run.release();
      return run.manifest.id;
    },
  };
}

function openFolder(config: object) {
  const folder = folderOfTest('assay-desk-');
  const path = (file: string) => join(folder, file);
  const write = (files: Readonly<Record<string, object>>): void => {
    for (const [file, body] of Object.entries(files)) writeFileSync(path(file), JSON.stringify(body));
  };
  write({ 'assay.config.json': config, 'some.eval.yaml': { tests: TESTS } });
  return { folder, path, write, config: CONFIG, tests: TESTS };
}

function quietly(cwd: string, runs: RunStore) {
  let startedAt = 1000;
  let said = '';
  const never = new AbortController().signal;
  const presentation: Presentation = {
    reporters: [],
    screen: { isTty: false, columns: 100, colour: false, write: (text) => void (said += text) },
    verbosity: 'normal',
    ci: true,
  };
  const site: RunSite = {
    surroundings: { cwd, environment: {}, now: () => (startedAt += 1000), commandLine: [], runs },
    interrupt: { stop: never, abandon: never, stoppedBy: () => undefined },
    presentation,
  };
  return { site, said: () => said };
}

function asked(flags: Partial<RunOptions>): RunOptions {
  return { patterns: [], targets: [], cases: [], seed: 7, ...flags };
}

/** Of the newest run, by case, without times. */
async function rowsIn(runs: RunStore): Promise<readonly object[]> {
  const found: Row[] = [];
  for await (const row of (await runs.find('latest')).run.rows()) found.push(row);
  return found.toSorted((a, b) => (a.caseId < b.caseId ? -1 : 1)).map(timeless);
}

function timeless({ attempts, ...row }: Row): object {
  const { startedAt: _, endedAt: __, durationMs: ___, latency: ____, ...rest } = row;
  return {
    ...rest,
    attempts: attempts.map(({ durationMs: _own, ...attempt }) => attempt),
    grades: row.grades.map(({ durationMs: _grading, ...grade }) => grade),
  };
}
