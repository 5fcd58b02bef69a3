import { AssayError } from '../core/errors.ts';
import type { StoredRun } from '../core/run-store.ts';
import type { Store } from '../core/store.ts';

/** Runs that no process executes. `interrupted`: and queued ones. */
export type Abandoned = 'queued' | 'interrupted';

interface Left {
  readonly store: Pick<Store, 'runs' | 'listings' | 'cancels'>;
  /** Resolves when the run goes on. */
  resume(run: StoredRun): Promise<void>;
  /** Ends a queued run. */
  stop(run: StoredRun): Promise<unknown>;
  onFault(fault: unknown): void;
}

/** A take-up that brought no further trial to its end counts as vain. */
interface Tried {
  readonly ended: number;
  readonly times: number;
}

/** How often a run is taken up in vain. */
const MOST_TIMES = 3;

/** Resumes the runs that no process executes, and gives their ids. Calls at the same time share one round. */
export function runsLeft(left: Left): (which: Abandoned) => Promise<readonly string[]> {
  const givenUp = new Set<string>();
  const tried = new Map<string, Tried>();
  let round: Promise<readonly string[]> | undefined;
  return (which) => {
    round ??= takeUp(which, { ...left, givenUp, tried }).finally(() => (round = undefined));
    return round;
  };
}

interface Taking extends Left {
  /** Runs that cannot go on. They wait for somebody who decides. */
  readonly givenUp: Set<string>;
  readonly tried: Map<string, Tried>;
}

async function takeUp(which: Abandoned, taking: Taking): Promise<readonly string[]> {
  const { store, resume, givenUp } = taking;
  const taken: string[] = [];
  for (const id of await store.listings.unfinished()) {
    const run = store.runs.open(id);
    if (givenUp.has(id) || !(await isMeant(run, which, store))) continue;
    if (await wasCancelled(run, taking)) continue;
    if (!(await mayTry(run, taking))) continue;
    try {
      await resume(run);
      taken.push(id);
    } catch (error) {
      notBegun(id, error, taking);
    }
  }
  return taken;
}

/** Neither a run that was archived, nor one that a person ended in a terminal. */
async function isMeant(run: StoredRun, which: Abandoned, { listings }: Left['store']): Promise<boolean> {
  const state = await run.state();
  if (state !== 'queued' && (which === 'queued' || state !== 'interrupted')) return false;
  const { kind, state: closed } = await run.head();
  if (kind !== 'run') return false;
  const listing = await listings.of(run.name);
  if (listing === undefined || listing.archivedAt !== null) return false;
  return listing.origin !== 'cli' || closed !== 'interrupted';
}

/** A run that somebody has cancelled does not go on: it ends if it is queued. */
async function wasCancelled(run: StoredRun, { store, stop, onFault }: Taking): Promise<boolean> {
  if (!(await store.cancels.isAsked(run.name))) return false;
  if ((await run.state()) === 'queued') await stop(run).catch(onFault);
  return true;
}

async function mayTry(run: StoredRun, { tried, givenUp }: Taking): Promise<boolean> {
  const counts = Object.values(await run.counts());
  const ended = counts.reduce((sum, count) => sum + count, 0);
  const before = tried.get(run.name);
  const times = before?.ended === ended ? before.times + 1 : 1;
  tried.set(run.name, { ended, times });
  if (times > MOST_TIMES) givenUp.add(run.name);
  return times <= MOST_TIMES;
}

/** If another process has claimed a run in the meantime, that process keeps it. Without the database, the run is tried again later. */
function notBegun(id: string, error: unknown, { givenUp, tried, onFault }: Taking): void {
  const code = error instanceof AssayError ? error.code : undefined;
  const isPassing = code !== undefined && PASSING.has(code);
  if (isPassing) tried.delete(id);
  else if (code !== undefined) givenUp.add(id);
  if (code !== 'run-in-use' && code !== 'run-not-here') onFault(error);
}

const PASSING: ReadonlySet<string> = new Set([
  'run-in-use',
  'database-unreachable',
  'results-not-written',
  'lease-lost',
]);
