import { AssayError, messageOf } from '../../core/errors.ts';
import type { ManifestHead, RunReference, RunStore, StoredRun } from '../../core/run-store.ts';
import type { RunState } from '../../core/run.ts';
import type { KnownCalibrations } from '../../reading/judge-agreement.ts';
import { isRunId } from '../../storage/runs/run-id.ts';
import { knownCalibrations } from '../calibration/known-calibrations.ts';
import { countRun, type CountedRun } from './counted-run.ts';
import { keptByVersion } from './kept-by-version.ts';

/** A run in a list. */
export type RunSummary = ReadableRun | UnreadableRun;

export interface ReadableRun {
  readonly id: string;
  readonly head: ManifestHead;
  readonly state: RunState;
}

interface UnreadableRun {
  readonly id: string;
  readonly error: { readonly code: string; readonly message: string };
}

/** A cache of summaries, for lists that are read repeatedly. */
export interface RunSummaries {
  /** Run ids, newest first. */
  ids(): Promise<readonly string[]>;
  of(id: string): Promise<RunSummary>;
  /**
   * Finds a run of this store by its id, its first characters, or `latest`, optionally with `#TARGET`. Never by path.
   * Throws `run-not-found`.
   */
  find(reference: string): Promise<RunReference>;
  run(reference: string): Promise<StoredRun>;
  /** One of `ids`. */
  open(id: string): StoredRun;
  /** A version string that starts with the run's state and changes whenever the run changes. */
  version(id: string): Promise<string>;
  /** The reason why a run cannot be read. */
  reason(error: unknown): UnreadableRun['error'];
  /** Totals of the ended trials, cached until the run changes. */
  counted(id: string): Promise<CountedRun>;
  /** How far people agree with judges, as the project of a run knows it now. */
  calibrations(projectRoot: string): KnownCalibrations;
}

/** Each takes some KB. */
const MOST_RUNS = 10_000;

export function runSummaries(store: RunStore): RunSummaries {
  const counted = keptByVersion(MOST_RUNS, countRun);
  const ended = new Map<string, { readonly version: string; readonly summary: RunSummary }>();
  const find = async (reference: string): Promise<RunReference> => {
    const found = await findListed(store, reference);
    await refuseRemoved(found.run, store);
    return found;
  };
  const of = async (id: string): Promise<RunSummary> => {
    const run = store.open(id);
    try {
      const version = await run.version();
      const before = ended.get(id);
      if (before?.version === version) return before.summary;
      ended.delete(id);
      const head = await run.head();
      const summary = { id, head, state: await run.state(head) };
      if (summary.state !== 'running' && ended.size < MOST_RUNS) ended.set(id, { version, summary });
      return summary;
    } catch (error) {
      ended.delete(id);
      return { id, error: reason(error) };
    }
  };
  return {
    ids: async () => (await store.list()).toReversed(),
    of,
    find,
    open: store.open,
    run: async (reference) => (await find(reference)).run,
    version: async (id) => {
      const summary = await of(id);
      const version = await store
        .open(id)
        .version()
        .catch(() => undefined);
      return version !== undefined && 'state' in summary
        ? `${summary.state} ${version}`
        : `unreadable ${version}`;
    },
    reason,
    counted: (id) => counted(store.open(id)),
    calibrations: knownCalibrations(),
  };
}

/** A complete id is found without listing all runs. */
async function findListed(store: RunStore, reference: string): Promise<RunReference> {
  if (isRunId(reference)) return { run: store.open(reference) };
  // A path could point to other runs on this machine.
  if (!/[/\\]|^\.+$/.test(reference.replace(/#.*$/s, ''))) {
    const found = await store.find(reference);
    if (found.run.reference === found.run.name) return found;
  }
  throw notFound(reference);
}

/** Throws `run-not-found` if the run was removed. An unreadable run still exists. */
async function refuseRemoved(run: StoredRun, store: RunStore): Promise<void> {
  try {
    await run.head();
  } catch {
    if (!(await store.list()).includes(run.name)) throw notFound(run.name);
  }
}

function notFound(reference: string): AssayError {
  return new AssayError('run-not-found', `unknown run "${reference}"`, {
    stage: 'plan',
    hint: 'use a run id, its first characters, or latest; the run may have been removed',
  });
}

function reason(error: unknown): UnreadableRun['error'] {
  return { code: error instanceof AssayError ? error.code : 'run-unreadable', message: messageOf(error) };
}
