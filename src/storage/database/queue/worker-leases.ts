import { RunCancelled } from '../../../core/errors.ts';
import type { Database } from '../database.ts';
import { every } from '../every.ts';
import { leaseLost } from '../runs/lease.ts';
import type { Jobs } from './jobs.ts';

/** A trial that this worker has. */
export interface HeldTrial {
  readonly run: string;
  readonly job: string;
  readonly lease: string;
  /** Ends it when its run is cancelled, or when another process has it. */
  readonly ending: AbortController;
}

/** The leases of a worker on its trials, renewed until they are removed. */
export interface WorkerLeases {
  add(held: HeldTrial): void;
  remove(lease: string): void;
  /** Asks now what has become of them. */
  hear(): Promise<void>;
  stopRenewing(): void;
}

/** A lease that is not renewed for so long runs out. */
export const LEASE_SECONDS = 60;
const RENEWED_MS = 15_000;
const HEARS_EVERY_MS = 2000;

/** `worker`: its id, which stays alive as long as they are renewed. */
export function openWorkerLeases(database: Database, jobs: Jobs, worker: string): WorkerLeases {
  const all = new Map<string, HeldTrial>();
  let renewedAt = performance.now();
  const look = (rows: readonly LeaseRow[], asked: readonly HeldTrial[]): void => {
    const known = new Map(rows.map((row) => [row.lease, row]));
    for (const { lease, run, ending } of asked) {
      if (!all.has(lease)) continue;
      const row = known.get(lease);
      if (row === undefined) ending.abort(leaseLost(run));
      else if (row.cancelled) ending.abort(new RunCancelled());
    }
  };
  const renew = async (): Promise<void> => {
    const asked = [...all.values()];
    await database.query(SEEN, [worker, LEASE_SECONDS]);
    look(await database.query<LeaseRow>(RENEW, [leasesOf(asked), LEASE_SECONDS]), asked);
    renewedAt = performance.now();
    for (const [run, ofRun] of byRun(asked)) await jobs.touch(run, ofRun);
  };
  const hear = async (): Promise<void> => {
    const asked = [...all.values()];
    if (asked.length > 0) look(await database.query<LeaseRow>(HEAR, [leasesOf(asked)]), asked);
  };
  /** Nothing has renewed the leases: others may have them. */
  const giveUp = (): void => {
    if (performance.now() - renewedAt < LEASE_SECONDS * 1000) return;
    for (const { ending, run } of all.values()) ending.abort(leaseLost(run));
  };
  const timers = [every(RENEWED_MS, renew), every(HEARS_EVERY_MS, hear), setInterval(giveUp, HEARS_EVERY_MS)];
  return {
    add: (held) => void all.set(held.lease, held),
    remove: (lease) => void all.delete(lease),
    hear,
    stopRenewing: () => timers.forEach((timer) => clearInterval(timer)),
  };
}

interface LeaseRow extends Readonly<Record<string, unknown>> {
  readonly lease: string;
  readonly cancelled: boolean;
}

const SEEN = 'update worker set seen_until = clock_timestamp() + make_interval(secs => $2) where id = $1';

const RENEW = `
  update handed_trial set lease_until = clock_timestamp() + make_interval(secs => $2)
  where lease_id = any($1::text[]::uuid[])
  returning lease_id as lease, cancel_requested_at is not null as cancelled`;

const HEAR = `
  select lease_id as lease, cancel_requested_at is not null as cancelled from handed_trial
  where lease_id = any($1::text[]::uuid[])`;

function leasesOf(held: readonly HeldTrial[]): readonly string[] {
  return held.map(({ lease }) => lease);
}

/** The jobs of each run. */
function byRun(held: readonly HeldTrial[]): ReadonlyMap<string, readonly string[]> {
  const jobs = new Map<string, string[]>();
  for (const { run, job } of held) jobs.set(run, [...(jobs.get(run) ?? []), job]);
  return jobs;
}
