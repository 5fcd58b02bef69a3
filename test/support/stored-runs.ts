import { temporaryFolder } from '../contracts/target.ts';
import type { Screen } from '../../src/core/log.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import type { Row } from '../../src/core/run.ts';
import type { RunStore } from '../../src/core/run-store.ts';
import { emptyTally, type Tally } from '../../src/reading/tally.ts';
import { trialKey } from '../../src/core/trial.ts';
import { createRedactor } from '../../src/lib/redact/redact.ts';
import { memoryRuns } from '../../src/storage/memory/store.ts';
import { attemptOf, ended, manifestOf, of } from '../../src/storage/run-directory/fixtures/runs.ts';
import type { RunSite } from '../../src/app/conduct/run-site.ts';
import type { Surroundings } from '../../src/app/surroundings.ts';

/** Runs in memory, and a screen that is read. */
export interface StoredRuns {
  readonly runs: RunStore;
  readonly surroundings: Surroundings;
  readonly screen: Screen;
  readonly site: RunSite;
  /** What is on the screen. */
  shown(): string;
  /** Keeps a completed run of these rows, whose agent said hello, and gives its id. */
  keep(rows: readonly Row[], manifest?: Partial<Manifest>): Promise<string>;
}

/** What commands write besides goes to a folder that is removed after the test. */
export function storedRuns(): StoredRuns {
  const runs = memoryRuns(temporaryFolder());
  let kept = 0;
  let text = '';
  const screen: Screen = {
    isTty: false,
    columns: 100,
    colour: false,
    write: (more) => void (text += more),
  };
  const surroundings: Surroundings = {
    cwd: import.meta.dirname,
    environment: {},
    now: () => Date.parse('2026-01-01T00:01:00Z'),
    commandLine: [],
    runs,
  };
  const never = new AbortController().signal;
  const interrupt = { stop: never, abandon: never, stoppedBy: () => undefined };
  return {
    runs,
    surroundings,
    screen,
    shown: () => text,
    site: { surroundings, interrupt, presentation: { reporters: [], screen, verbosity: 'normal', ci: true } },
    keep: (rows, manifest = {}) => keepRun(runs, rows, { startedAt: ++kept * 60_000, manifest }),
  };
}

interface KeptAs {
  readonly startedAt: number;
  readonly manifest: Partial<Manifest>;
}

async function keepRun(
  runs: RunStore,
  rows: readonly Row[],
  { startedAt, manifest }: KeptAs,
): Promise<string> {
  const run = await runs.create({
    startedAt,
    redactor: createRedactor({ environment: {} }),
    manifest: (id) =>
      manifestOf({
        state: 'running',
        digests: ['case', 'target', 'grader'],
        targets: [{ name: 't', type: 'mock', config: {}, digest: 1 }],
        suites: [{ id: 's', name: 's', file: 's', digest: 'd', cases: rows.length }],
        trials: rows.length,
        ...manifest,
        id,
      }),
  });
  const log = run.openLog(0);
  for (const row of rows) {
    const started = of(row.caseId, { type: 'trial-start', number: row.number });
    const facts = [started, ...attemptOf(row.caseId, 1, ['hello'])];
    await log.append([...facts.map((fact) => ({ ...fact, trial: trialKey(row) })), ended(row)]);
  }
  log.writeRows();
  log.close();
  run.finish({ ...run.manifest, state: 'completed', exitCode: 0 }, toldOf(rows));
  run.release();
  return run.manifest.id;
}

function toldOf(rows: readonly Row[]): Pick<Tally, 'byStatus' | 'costUsd'> {
  const byStatus = { ...emptyTally.byStatus };
  for (const { status } of rows) byStatus[status] += 1;
  return { byStatus, costUsd: emptyTally.costUsd };
}
