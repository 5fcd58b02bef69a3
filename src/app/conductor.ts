import type { LoadedConfig } from '../authoring/config/load-config.ts';
import { unknownTarget } from '../authoring/config/references.ts';
import { readRegrade } from '../authoring/config/regrade-request.ts';
import { readResume } from '../authoring/config/resume-request.ts';
import type { KeyEntry } from '../core/idempotency-keys.ts';
import { AuthoringError } from '../core/problem.ts';
import type { StoredRun } from '../core/run-store.ts';
import type { Store } from '../core/store.ts';
import type { JsonObject } from '../lib/json.ts';
import { cancelRun, stopWaiting } from './cancel-run.ts';
import { activeRuns, type ActiveRuns } from './active-runs.ts';
import { type Abandoned, runsLeft } from './runs-left.ts';
import {
  configNow,
  creator,
  problemsOf,
  startStored,
  type Asking,
  type Conducting,
  type StartedRun,
} from './start-stored.ts';
import type { Surroundings } from './surroundings.ts';

/** Executes runs of the store in this process. Disposed, it starts no trials and gives running ones 10 seconds. */
export interface Conductor extends AsyncDisposable {
  /**
   * Plans a run and begins it, or only plans it. Throws all problems of the request at once.
   * `entry`: of its `Idempotency-Key`.
   */
  start(body: unknown, createdBy: string, entry?: KeyEntry): Promise<StartedRun>;
  /** Ends the running trials of a run as cancelled, whichever process executes it. Throws `run-finished`. */
  cancel(run: StoredRun): Promise<void>;
  /** Runs the trials without an outcome. Throws `nothing-to-resume`, `run-changed`, `run-in-use`. */
  resume(run: StoredRun, body: unknown): Promise<void>;
  /** Grades the stored trials of a run into a new run; gives its id. */
  regrade(run: StoredRun, body: unknown, createdBy: string): Promise<string>;
  /** Begins the runs that are queued, or also those that were interrupted; gives their ids. */
  takeUp(which: Abandoned): Promise<readonly string[]>;
  /** The same now and every 15 seconds, since the claim of a killed process ends only after a while. */
  keepTakingUp(which: Abandoned): void;
}

export interface ConductorOptions {
  readonly store: Store;
  readonly surroundings: Surroundings;
  /** Path of the config; absent: searched upward. */
  readonly config?: string | undefined;
  /** The config for all runs; absent: it is read for each. */
  readonly loaded?: LoadedConfig | undefined;
  /** Called with errors of runs that have begun. */
  onFault(fault: unknown): void;
}

export function openConductor({ store, surroundings, config, loaded, onFault }: ConductorOptions): Conductor {
  const around: Surroundings = {
    ...surroundings,
    prefers: 'store',
    ...(loaded === undefined
      ? {}
      : { served: { cwd: surroundings.cwd, loaded: { ...loaded, isOfServer: true } } }),
    store: { find: async () => store, open: async () => store },
  };
  const runs = activeRuns(around, onFault);
  const conducting: Conducting = { runs, around, config };
  const place = { store, now: surroundings.now };
  const takeUp = runsLeft({
    store,
    onFault,
    resume: (run) => resumeStored(run, {}, runs),
    stop: (run) => stopWaiting(run, place),
  });
  let timer: NodeJS.Timeout | undefined;
  return {
    start: (body, accountId, entry) => startStored(body, { accountId, entry }, conducting),
    async cancel(run) {
      if (!runs.cancel(run.name)) await cancelRun(run, place);
    },
    resume: (run, body) => resumeStored(run, body, runs),
    regrade: (run, body, accountId) => regradeStored({ run, body, accountId }, conducting),
    takeUp,
    keepTakingUp(which) {
      const again = () => void takeUp(which).catch(onFault);
      timer ??= setInterval(again, TAKE_UP_MS).unref();
      again();
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await runs[Symbol.asyncDispose]();
    },
  };
}

const TAKE_UP_MS = 15_000;

async function resumeStored(run: StoredRun, body: unknown, runs: ActiveRuns): Promise<void> {
  const { value, faults } = readResume(body);
  if (value === undefined) throw new AuthoringError(problemsOf(faults));
  const { resumeRun } = await import('./resume-run.ts');
  const request = { run: run.name, isTrusted: false, needsWork: true, ...value } as const;
  await runs.begin((site) => resumeRun(request, site));
}

interface AskingRegrade extends Pick<Asking, 'accountId'> {
  readonly run: StoredRun;
  readonly body: unknown;
}

async function regradeStored(
  { run, body, accountId }: AskingRegrade,
  { runs, around, config }: Conducting,
): Promise<string> {
  const { value, faults } = readRegrade(body, await targetNames(around, config));
  if (value === undefined) throw new AuthoringError(problemsOf(faults));
  const { gradeRun } = await import('./grade-run.ts');
  const { target, ...asked } = value;
  const names = (await run.head()).targets.map(({ name }) => name);
  const isKnown = target === undefined || names.includes(target);
  const found = problemsOf([...faults, ...(isKnown ? [] : [unknownTarget(target, names, ['target'])])]);
  const reference = target === undefined || !isKnown ? run.name : `${run.name}#${target}`;
  const request = { run: reference, suites: [], isTrusted: false, found, ...asked };
  const settings = (body ?? {}) as JsonObject;
  const listed = { origin: 'server', settings, ...creator(accountId) } as const;
  return await runs.begin((site) => gradeRun(request, site, listed));
}

async function targetNames(around: Surroundings, config: string | undefined): Promise<readonly string[]> {
  return [...(await configNow(around, config)).written.keys()];
}
