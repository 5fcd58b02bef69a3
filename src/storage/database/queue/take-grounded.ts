import type { Database, Queries } from '../database.ts';
import { type LeasedRow, leaseTrials } from './lease-trials.ts';

interface GroundTaking {
  readonly run: string;
  /** Id of the worker. */
  readonly worker: string;
  /** Its name for people. */
  readonly owner: string;
  /** The highest number of trials. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/**
 * Takes trials that share a directory: of directories that this worker has, or that no other worker has, which it then
 * gets. Of a directory for one trial at a time it is the first one. Aborted, it takes neither trials nor directories.
 */
export async function takeGrounded(
  database: Database,
  { run, worker, owner, most, signal }: GroundTaking,
): Promise<readonly LeasedRow[]> {
  const take = async ({ query }: Queries): Promise<readonly LeasedRow[]> => {
    // Two workers must not choose at the same time.
    await query(`select pg_advisory_xact_lock(hashtextextended('assay-grounds ' || $1, 0))`, [run]);
    const chosen = await query<{ ground: string; job: string }>(CHOOSE, [run, worker, most]);
    if (chosen.length === 0) return [];
    const grounds = [...new Set(chosen.map(({ ground }) => ground))];
    await query(HOLD, [run, grounds, worker]);
    return await leaseTrials({ query }, { run, jobs: chosen.map(({ job }) => job), worker, owner });
  };
  return await database.transaction(take, { signal });
}

/** A worker that is gone has no directory, and one that stops has only those where it still runs trials. */
const CHOOSE = `
  select handed.ground, handed.job_id as job from handed_trial as handed
  left join worker_ground as held using (run_id, ground)
  left join worker as holder on holder.id = held.worker_id
  where handed.run_id = $1 and handed.ground is not null
    and handed.lease_id is null and not handed.is_unpaid and not handed.is_lost
    and (holder.id is null or holder.id = $2 or holder.seen_until <= clock_timestamp()
      or holder.stopping_since is not null and not exists (
        select from handed_trial as running where running.run_id = $1 and running.ground = handed.ground
          and running.worker_id = holder.id and running.lease_id is not null))
    and not (handed.is_alone and exists (
      select from handed_trial as other where other.run_id = $1 and other.ground = handed.ground
        and other.trial_number <> handed.trial_number
        and (other.lease_id is not null or other.trial_number < handed.trial_number)))
  order by (holder.id = $2) is true desc, handed.trial_number limit $3`;

const HOLD = `
  insert into worker_ground (run_id, ground, worker_id) select $1, ground, $3 from unnest($2::text[]) as ground
  on conflict (run_id, ground) do update set worker_id = excluded.worker_id`;
