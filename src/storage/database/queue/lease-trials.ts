import type { Queries, StatementOptions } from '../database.ts';
import { WAITS } from './waiting-runs.ts';
import { LEASE_SECONDS } from './worker-leases.ts';

/** A trial that a worker has got, as the database tells it. */
export interface LeasedRow extends Readonly<Record<string, unknown>> {
  readonly job: string;
  readonly lease: string;
  readonly number: number;
  readonly key: string;
  readonly document: string;
}

interface Leasing {
  readonly run: string;
  /** Of the trials. */
  readonly jobs: readonly string[];
  /** Id of the worker. */
  readonly worker: string;
  /** Its name for people. */
  readonly owner: string;
}

/** Gives a worker a lease on each of these trials that still waits. */
export async function leaseTrials(
  { query }: Pick<Queries, 'query'>,
  { run, jobs, worker, owner }: Leasing,
  how: StatementOptions = {},
): Promise<readonly LeasedRow[]> {
  return await query<LeasedRow>(LEASE, [run, jobs, worker, owner, LEASE_SECONDS], how);
}

const LEASE = `
  update handed_trial set lease_id = gen_random_uuid(), worker_id = $3, lease_owner = $4,
    lease_until = clock_timestamp() + make_interval(secs => $5), taken_at = clock_timestamp()
  where run_id = $1 and job_id = any($2::text[]::uuid[]) and ${WAITS}
  returning job_id as job, lease_id as lease, trial_number as number, trial_key as key, document`;
