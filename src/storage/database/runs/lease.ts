import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { AssayError } from '../../../core/errors.ts';
import { runNotFound } from '../../runs/meant-run.ts';
import type { Database, Queries } from '../database.ts';
import { every } from '../every.ts';

/** The right to write a run, until it is released or runs out. */
export interface Lease {
  /** Every write carries it. */
  readonly id: string;
  /** Aborted when somebody asks to cancel the run. */
  readonly cancelAsked: AbortSignal;
  /** Its lease has expired. */
  stopRenewing(): void;
  /** Never throws: without the database it is tried again until the lease has run out. */
  release(): Promise<void>;
}

const SECONDS = 60;
const RENEWED_MS = 15_000;
const HEARS_EVERY_MS = 2000;
const RELEASED_AGAIN_MS = 1000;

/** Takes the lease of a run and renews it. Throws `run-in-use` where another one is alive, and `run-not-found`. */
export async function takeLease(database: Database, run: string): Promise<Lease> {
  const id = randomUUID();
  const [taken] = await database.query(
    // Who offers trials under the lease before must have ended.
    `with free as (
       select id from run where id = $1 and (lease_until is null or lease_until < clock_timestamp()) for update
     )
     update run set lease_id = $2, lease_owner = $3, lease_until = clock_timestamp() + make_interval(secs => $4),
       cancel_requested_at = null
     from free where run.id = free.id returning run.id`,
    [run, id, leaseOwner(), SECONDS],
  );
  if (taken === undefined) throw await notTaken(database, run);
  return heldLease(database, run, id);
}

/** The columns of a lease that begins with its run. */
export function newLease(): { readonly id: string; readonly owner: string; readonly seconds: number } {
  return { id: randomUUID(), owner: leaseOwner(), seconds: SECONDS };
}

/** A lease that was taken, renewed until it is released. A process that lost it learns so from its next write. */
export function heldLease(database: Database, run: string, id: string): Lease {
  const renew = () =>
    database.query(
      `update run set lease_until = clock_timestamp() + make_interval(secs => $3) where id = $1 and lease_id = $2`,
      [run, id, SECONDS],
    );
  const cancel = new AbortController();
  const hear = async () => {
    const [asked] = await database.query(
      'select 1 from run where id = $1 and lease_id = $2 and cancel_requested_at is not null',
      [run, id],
    );
    if (asked !== undefined) cancel.abort();
  };
  const timers = [every(RENEWED_MS, renew).unref(), every(HEARS_EVERY_MS, hear).unref()];
  const stopRenewing = () => timers.forEach((timer) => clearInterval(timer));
  return {
    id,
    cancelAsked: cancel.signal,
    stopRenewing,
    async release() {
      stopRenewing();
      const free = () => database.query(RELEASE, [run, id]);
      await free().catch(() => void freedLater(free));
    },
  };
}

const RELEASE =
  'update run set lease_id = null, lease_owner = null, lease_until = null where id = $1 and lease_id = $2';

/** Until it succeeds or the lease has run out. It does not keep the process alive. */
async function freedLater(free: () => Promise<unknown>): Promise<void> {
  for (let left = SECONDS; left > 0; left -= 1) {
    await new Promise<void>((resolve) => void setTimeout(resolve, RELEASED_AGAIN_MS).unref());
    try {
      await free();
      return;
    } catch {
      // The database is still gone.
    }
  }
}

/** Holds the lease of a run, or of one of its trials, until the transaction ends. Throws `lease-lost`. */
export async function underLease({ query }: Queries, run: string, lease: string): Promise<void> {
  const [held] = await query(
    `select 1 from run where id = $1 and (lease_id = $2::uuid or exists (
       select from handed_trial where run_id = $1 and handed_trial.lease_id = $2::uuid)) for share`,
    [run, lease],
  );
  if (held === undefined) throw leaseLost(run);
}

/** Holds the lease of a run until the transaction ends, while others append to its log. Throws `lease-lost`. */
export async function underRunLease({ query }: Queries, run: string, lease: string): Promise<void> {
  const held = 'select 1 from run where id = $1 and lease_id = $2::uuid for key share';
  if ((await query(held, [run, lease], { preparedAs: 'under-run-lease' })).length === 0) throw leaseLost(run);
}

/** Ends all leases: of an embedded database that was just opened no other process can hold one. */
export async function endLeases({ query }: Queries): Promise<void> {
  await query(
    `update run set lease_id = null, lease_owner = null, lease_until = null where lease_id is not null`,
  );
}

/** The error of a write whose lease somebody else has taken. */
export function leaseLost(run: string): AssayError {
  return new AssayError('lease-lost', `another process has taken over the run ${run}`, {
    stage: 'log',
    hint: 'let that process finish the run',
  });
}

function leaseOwner(): string {
  return `process ${process.pid} on ${hostname()}`;
}

async function notTaken(database: Database, run: string): Promise<AssayError> {
  const [row] = await database.query<{ lease_owner: string | null }>(
    'select lease_owner from run where id = $1',
    [run],
  );
  if (row === undefined) return runNotFound(run, database.place);
  const who = row.lease_owner ?? 'another process';
  return new AssayError('run-in-use', `the run is in use by ${who}`, {
    stage: 'log',
    hint: `wait until it ends; if that process no longer exists, its claim ends within ${SECONDS} seconds`,
  });
}
