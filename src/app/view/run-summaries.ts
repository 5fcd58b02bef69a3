import { AssayError, messageOf } from '../../core/errors.ts';
import { refuseUnknownSet } from '../../core/refuse-unknown-set.ts';
import type { KeptListing, RunListings, RunRange } from '../../core/run-listings.ts';
import type { RunReference, RunStore, StoredRun } from '../../core/run-store.ts';
import { isUnderWay } from '../../core/run.ts';
import type { KnownCalibrations } from '../../reading/judge-agreement.ts';
import { given } from '../../lib/given.ts';
import { knownCalibrations } from '../calibration/known-calibrations.ts';
import { calledRun, runUnknown } from './called-run.ts';
import { countedRuns, type CountedRuns } from './counted-runs.ts';
import { pageOfRuns, type RunListFilter } from './listed-runs.ts';
import type { ReadableRun, RunSummary, UnreadableRun } from './run-summary.ts';

/** A cache of summaries, for lists that are read repeatedly. */
export interface RunSummaries extends CountedRuns {
  /** A page of the runs that a filter takes. */
  page(filter: RunListFilter, range: RunRange): Promise<readonly RunSummary[]>;
  of(id: string): Promise<RunSummary>;
  /** Several at once; without those that cannot be read. */
  several(ids: readonly string[]): Promise<readonly ReadableRun[]>;
  /**
   * Finds a run of this store by its id, its first characters, or `latest`, optionally with `#TARGET`. Never by path.
   * Throws `run-not-found`.
   */
  find(reference: string): Promise<RunReference>;
  run(reference: string): Promise<StoredRun>;
  open(id: string): StoredRun;
  /**
   * Versions of the newest runs and of others, newest first, by id. Each starts with the state of its run, and changes
   * whenever the run changes.
   */
  versions(newest: number, named: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The reason why a run cannot be read. Throws `database-unreachable`, which says nothing about the run. */
  reason(error: unknown): UnreadableRun['error'];
  /** How far people agree with judges, as the project of a run knows it now. */
  calibrations(projectRoot: string): KnownCalibrations;
  /** A text of any run, by its sha-256. */
  attachment(sha256: string): ReturnType<StoredRun['attachment']>;
}

/** Each takes some KB. */
const MOST_RUNS = 10_000;

export function runSummaries(store: RunStore, listings?: RunListings): RunSummaries {
  const found = listings === undefined ? inFolders(store) : inStore(store, listings);
  const find = (reference: string) => calledRun(store, reference);
  return {
    ...found,
    ...countedRuns(store, listings),
    find,
    open: store.open,
    run: async (reference) => (await find(reference)).run,
    reason,
    calibrations: knownCalibrations(),
  };
}

type Found = Pick<RunSummaries, 'page' | 'of' | 'several' | 'versions' | 'attachment'>;

/** Run directories are looked at one by one, and those that have ended are remembered. */
function inFolders(store: RunStore): Found {
  const ended = new Map<string, ReadableRun>();
  const of = async (id: string): Promise<RunSummary> => {
    const run = store.open(id);
    try {
      const version = await run.version();
      const before = ended.get(id);
      if (before?.version === version) return before;
      ended.delete(id);
      const head = await run.head();
      const summary = { id, head, version, state: await run.state(head) };
      if (!isUnderWay(summary.state) && ended.size < MOST_RUNS) ended.set(id, summary);
      return summary;
    } catch (error) {
      ended.delete(id);
      return { id, error: reason(error) };
    }
  };
  const newestFirst = async () => (await store.list()).toReversed();
  return {
    of,
    page: async (filter, range) => pageOfRuns(await newestFirst(), of, { filter, range }),
    several: async (ids) => readable(await Promise.all(ids.map(of))),
    async versions(newest, named) {
      const ids = newest === 0 ? [] : (await newestFirst()).slice(0, newest);
      const versions = new Map<string, string>();
      for (const id of new Set([...ids, ...named])) versions.set(id, await versionOf(store.open(id), of));
      return versions;
    },
    async attachment(sha256) {
      if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
      for (const id of await newestFirst()) {
        const text = await store.open(id).attachment(sha256);
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}

async function versionOf(run: StoredRun, of: Found['of']): Promise<string> {
  const summary = await of(run.name);
  if ('state' in summary) return `${summary.state} ${summary.version}`;
  const version = await run.version().catch(() => undefined);
  return `unreadable ${version}`;
}

/** A store answers each of these with one statement. */
function inStore(store: RunStore, listings: RunListings): Found {
  const several = async (ids: readonly string[]) =>
    ids.length === 0 ? [] : readable((await listings.named(ids)).map(summaryIn));
  return {
    several,
    async of(id) {
      const [kept] = await listings.named([id]);
      if (kept !== undefined) return summaryIn(kept);
      const error = await store
        .open(id)
        .head()
        .then(() => undefined, reason);
      return { id, error: error ?? reason(runUnknown(id)) };
    },
    async page({ state, ...filter }, range) {
      await refuseUnknownSet(listings, filter);
      const states = state?.filter((each) => each !== 'unreadable');
      return (await listings.page({ ...filter, state: states }, range)).map(summaryIn);
    },
    async versions(newest, named) {
      const found = await listings.versions(newest, named);
      return new Map(found.map(({ id, state, version }) => [id, `${state} ${version}`]));
    },
    attachment: (sha256) => listings.attachment(sha256),
  };
}

function summaryIn({ listing, state, version, caseDigest, head }: KeptListing): RunSummary {
  const { id } = listing;
  try {
    return { id, head: head(), state, version, listing, ...given({ caseDigest: caseDigest ?? undefined }) };
  } catch (error) {
    return { id, error: reason(error) };
  }
}

function readable(summaries: readonly RunSummary[]): readonly ReadableRun[] {
  return summaries.flatMap((summary) => ('error' in summary ? [] : summary));
}

function reason(error: unknown): UnreadableRun['error'] {
  const message = messageOf(error);
  if (!(error instanceof AssayError)) return { code: 'run-unreadable', message };
  if (error.code === 'database-unreachable') throw error;
  // What to do about one that cannot be read is written for the command line.
  const hint = error.code === 'run-unreadable' ? undefined : error.hint;
  return { code: error.code, message, ...given({ hint }) };
}
