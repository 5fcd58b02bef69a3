import type { LeftWorker, ListedWorker, TrialQueue, WorkedTrial } from '../../../core/trial-queue.ts';
import type { RunRoom } from '../runs/run-room.ts';
import { openDesk } from './desk.ts';

/** The queue of a PostgreSQL server. */
export function databaseQueue(room: RunRoom, login: string): TrialQueue {
  return {
    join: (worker) => openDesk(room, login, worker),
    async left(host) {
      const rows = await room.database.query<LeftRow>(LEFT, [host]);
      return rows.map(({ leftovers, ...worker }) => ({
        ...worker,
        leftovers: JSON.parse(leftovers) as LeftWorker['leftovers'],
      }));
    },
    async forgetLeft(worker) {
      await room.database.query(FORGET_LEFT, [worker]);
    },
    async workers() {
      const rows = await room.database.query<WorkerRow>(LIST);
      return rows.map(({ trials, refusals, ...worker }): ListedWorker => ({
        ...worker,
        trials: JSON.parse(trials) as readonly WorkedTrial[],
        refusals: JSON.parse(refusals) as ListedWorker['refusals'],
      }));
    },
  };
}

interface WorkerRow extends Readonly<Record<string, unknown>>, Omit<ListedWorker, 'trials' | 'refusals'> {
  readonly trials: string;
  readonly refusals: string;
}

interface LeftRow extends Readonly<Record<string, unknown>>, Omit<LeftWorker, 'leftovers'> {
  readonly leftovers: string;
}

const LEFT = `
  select id, pid, seen_until > clock_timestamp() as "isAlive", leftovers from worker
  where host = $1 and leftovers is not null`;

const FORGET_LEFT = `
  update worker set leftovers = null, seen_until = least(seen_until, clock_timestamp()) where id = $1`;

const LIST = `
  select id, name, host, pid, version, slots, started_at as "startedAt",
    seen_until > clock_timestamp() as "isAlive",
    seen_until > clock_timestamp() and stopping_since is not null as "isStopping",
    least(seen_until, clock_timestamp()) as "seenAt",
    coalesce((select json_agg(json_build_object('run', run_id, 'trial', trial_key, 'since', taken_at) order by taken_at)
      from handed_trial where worker_id = worker.id), '[]')::json as trials,
    coalesce((select json_agg(json_build_object('run', run_id, 'reason', reason) order by at)
      from worker_refusal where worker_id = worker.id), '[]')::json as refusals
  from worker where seen_until > clock_timestamp() - interval '1 day' order by started_at desc, id`;
