import type { Database, Queries } from '../database.ts';

export interface GroundTaking {
  readonly run: string;
  readonly worker: string;
  /** The highest number of trials. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/**
 * Chooses trials that share a directory: of directories that this worker has, or that no living worker has, which it then
 * gets. Of a directory for one trial at a time it is the first one. Gives their jobs.
 */
export async function chooseGrounded(
  database: Database,
  { run, worker, most, signal }: GroundTaking,
): Promise<readonly string[]> {
  const choose = async ({ query }: Queries): Promise<readonly string[]> => {
    // Two workers must not choose at the same time.
    await query(`select pg_advisory_xact_lock(hashtextextended('assay-grounds ' || $1, 0))`, [run]);
    const chosen = await query<{ ground: string; job: string }>(CHOOSE, [run, worker, most]);
    const grounds = [...new Set(chosen.map(({ ground }) => ground))];
    await query(HOLD, [run, grounds, worker]);
    return chosen.map(({ job }) => job);
  };
  return await database.transaction(choose, { signal });
}

const CHOOSE = `
  select handed.ground, handed.job_id as job from handed_trial as handed
  left join worker_ground as held using (run_id, ground)
  left join worker as holder on holder.id = held.worker_id
  where handed.run_id = $1 and handed.ground is not null
    and handed.lease_id is null and not handed.is_unpaid and not handed.is_lost
    and (holder.id is null or holder.id = $2 or holder.seen_until <= clock_timestamp())
    and not (handed.is_alone and exists (
      select from handed_trial as other where other.run_id = $1 and other.ground = handed.ground
        and other.trial_number <> handed.trial_number
        and (other.lease_id is not null or other.trial_number < handed.trial_number)))
  order by (holder.id = $2) is true desc, handed.trial_number limit $3`;

const HOLD = `
  insert into worker_ground (run_id, ground, worker_id) select $1, ground, $3 from unnest($2::text[]) as ground
  on conflict (run_id, ground) do update set worker_id = excluded.worker_id`;
