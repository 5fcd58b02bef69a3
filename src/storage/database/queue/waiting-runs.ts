import type { Database } from '../database.ts';
import { fairShares, type Hand } from './fair-share.ts';
import { LEASE_SECONDS } from './worker-leases.ts';

/** A run with trials that wait for a worker. */
interface WaitingRun extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly waiting: number;
  /** Whether some of them share a directory. */
  readonly isGrounded: boolean;
  /** JSON of the workers that may take some. */
  readonly hands: string;
}

/** What a worker may take. */
export const WAITS = 'lease_id is null and not is_unpaid and not is_lost';

/** The runs with trials that wait, the oldest first. */
export async function waitingRuns({ query }: Pick<Database, 'query'>): Promise<readonly WaitingRun[]> {
  return await query<WaitingRun>(WAITING, [LEASE_SECONDS - HEARD_WITHIN_SECONDS], {
    preparedAs: 'waiting-runs',
  });
}

/** How many of the waiting trials of a run are for this worker. Those that share a directory are not shared out. */
export function shareOf(
  { id, slots }: Pick<Hand, 'id' | 'slots'>,
  { waiting, isGrounded, hands }: WaitingRun,
): number {
  if (isGrounded) return Infinity;
  const told = JSON.parse(hands) as readonly Hand[];
  const all = told.some((hand) => hand.id === id) ? told : [...told, { id, slots, busy: 0 }];
  return fairShares(waiting, all).get(id) ?? 0;
}

/** Workers tell every 15 seconds that they run. One that was killed a moment ago leaves its share to the others. */
const HEARD_WITHIN_SECONDS = 20;

const WAITING = `
  select run.id, waiting.count::int as waiting, waiting.grounded as "isGrounded", (
    select coalesce(json_agg(json_build_object('id', worker.id, 'slots', slots, 'busy', (
      select count(*) from handed_trial where worker_id = worker.id)) order by worker.id), '[]')
    from worker
    where seen_until > clock_timestamp() + make_interval(secs => $1) and stopping_since is null
      and not exists (select from worker_refusal where worker_id = worker.id and run_id = run.id)
  ) as hands
  from run, lateral (
    select count(*) as count, bool_or(ground is not null) as grounded
    from handed_trial where run_id = run.id and ${WAITS}
  ) as waiting
  where handed_out and state in ('queued', 'running') and waiting.count > 0
  order by created_at, run.id`;
