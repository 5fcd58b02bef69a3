import { randomUUID } from 'node:crypto';

import type { TakenTrial, WorkedRun, WorkerDesk, WorkerIdentity } from '../../../core/trial-queue.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Redactor } from '../../../lib/redact/redact.ts';
import { keptWorkspaces } from '../../run-directory/kept-workspaces.ts';
import type { Database } from '../database.ts';
import { listen } from '../listen.ts';
import { attemptArtifacts } from '../runs/artifacts.ts';
import { placeIn, type RunPlace, type RunRoom } from '../runs/run-room.ts';
import { openSharedLog } from '../runs/shared-log.ts';
import { storedRun } from '../runs/stored-run.ts';
import { openLimitBoard } from './limit-board.ts';
import { type EndedJobs, endedJobs } from './ended-jobs.ts';
import { OFFERED } from './handed-trials.ts';
import { type Jobs, openJobs } from './jobs.ts';
import { type LeasedRow, leaseTrials } from './lease-trials.ts';
import { openRefusals } from './refusals.ts';
import { takeGrounded } from './take-grounded.ts';
import { shareOf, waitingRuns } from './waiting-runs.ts';
import { LEASE_SECONDS, openWorkerLeases, type WorkerLeases } from './worker-leases.ts';

/** Joins the queue of a database as a worker. */
export async function openDesk(room: RunRoom, login: string, worker: WorkerIdentity): Promise<WorkerDesk> {
  const { database } = room;
  const id = randomUUID();
  const { name, host, pid, version, slots } = worker;
  await database.query(JOIN, [id, name, host, pid, version, slots, LEASE_SECONDS]);
  const jobs = await openJobs(login, { supervises: false });
  const leases = openWorkerLeases(database, jobs, id);
  const ended = endedJobs(jobs);
  const owner = `${name} (process ${pid} on ${host})`;
  const taking: Taking = { database, jobs, ended, leases, worker: id, owner };
  const refusals = openRefusals(database, id);
  const grounded = new Set<string>();
  let offered: () => void = () => undefined;
  const notices = await listen(login, 'assay_offered', (told) => {
    offered();
    if (told !== OFFERED) void leases.hear().catch(() => undefined);
  });
  const board = await openLimitBoard(database, login);
  return {
    id,
    ...tellingOthers(database, id),
    async runs() {
      await refusals.tellAgain();
      const rows = (await waitingRuns(database)).filter((run) => !refusals.has(run.id));
      grounded.clear();
      for (const run of rows) if (run.isGrounded) grounded.add(run.id);
      return rows.map((run) => ({ id: run.id, share: shareOf({ id, slots }, run) }));
    },
    take: async (run, most, signal) => {
      const asked = { run, most, signal };
      const first = grounded.has(run) ? await takeDirectories(asked, taking) : [];
      // What was taken must reach the caller: a failure to take more would keep it here for ever.
      return first.length > 0 ? first : await takeTrials(asked, taking);
    },
    refuse: refusals.tell,
    async isUnderWay(run) {
      return (await database.query(UNDER_WAY, [run])).length > 0;
    },
    open: (run, redactor) => workedRun(placeIn(room, run), redactor),
    openLimits: board.open,
    onOffer(heard) {
      offered = heard;
    },
    async [Symbol.asyncDispose]() {
      leases.stopRenewing();
      for (const part of [notices, board, ended, jobs]) await part[Symbol.asyncDispose]();
      await database.query(LEAVE, [id]);
    },
  };
}

/** What a worker tells of itself. `id`: of the worker. */
function tellingOthers(
  { query }: Database,
  id: string,
): Pick<WorkerDesk, 'keepLeftovers' | 'stopTaking' | 'tellVersions'> {
  return {
    async keepLeftovers(leftovers) {
      await query('update worker set leftovers = $2::text::json where id = $1', [
        id,
        JSON.stringify(leftovers),
      ]);
    },
    async stopTaking() {
      await query('update worker set stopping_since = clock_timestamp() where id = $1', [id]);
    },
    async tellVersions(run, versions) {
      await query(TELL_VERSIONS, [run, id, JSON.stringify(versions)]);
    },
  };
}

interface Taking {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly ended: EndedJobs;
  readonly leases: WorkerLeases;
  /** Its id. */
  readonly worker: string;
  /** Its name for people. */
  readonly owner: string;
}

/** What a worker asks for. */
interface Asked {
  readonly run: string;
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Takes trials that share a directory with others. The queue has no jobs for them. */
async function takeDirectories(asked: Asked, taking: Taking): Promise<readonly TakenTrial[]> {
  const { database, worker, owner } = taking;
  const rows = await takeGrounded(database, { ...asked, worker, owner });
  return rows.map((row) => takenTrial(row, asked.run, taking));
}

async function takeTrials({ run, most, signal }: Asked, taking: Taking): Promise<readonly TakenTrial[]> {
  const { jobs, ended } = taking;
  signal.throwIfAborted();
  const fetched = await jobs.fetch(run, most);
  if (fetched.length === 0) return [];
  const rows = await leasesOn(fetched, { run, signal }, taking);
  const taken = new Set(rows.map(({ job }) => job));
  // A job of a trial that has ended meanwhile, or that another worker has.
  for (const job of fetched) if (!taken.has(job)) ended.add(run, job);
  return rows.map((row) => takenTrial(row, run, taking));
}

/** Gets leases on the trials of these jobs. On an error, it gives the jobs back, so that other workers get them at once. */
async function leasesOn(
  fetched: readonly string[],
  { run, signal }: Pick<Asked, 'run' | 'signal'>,
  { database, jobs, worker, owner }: Taking,
): Promise<readonly LeasedRow[]> {
  try {
    const leasing = { run, jobs: fetched, worker, owner };
    return await leaseTrials(database, leasing, { preparedAs: 'take-trials', signal });
  } catch (error) {
    // If this fails too, other workers get the jobs when the queue sees that this worker no longer renews them.
    await jobs.giveBack(run, fetched).catch(() => undefined);
    throw error;
  }
}

function takenTrial(row: LeasedRow, run: string, { database, jobs, ended, leases }: Taking): TakenTrial {
  const { job, lease, number, key, document } = row;
  const ending = new AbortController();
  leases.add({ run, job, lease, ending });
  return {
    run,
    lease,
    number,
    key,
    document: JSON.parse(document) as JsonObject,
    ending: ending.signal,
    async waits(isWaiting) {
      await database.query(WAITS_FOR_BUDGET, [lease, isWaiting]);
      const [others] = await database.query<{ othersGoOn: boolean }>(OTHERS_GO_ON, [run]);
      return others ?? { othersGoOn: false };
    },
    async release() {
      leases.remove(lease);
      ended.add(run, job);
    },
    async giveBack(why) {
      leases.remove(lease);
      const next = randomUUID();
      const [back] = await database.query<{ grounded: boolean }>(GIVE_BACK, [lease, next, why === 'unpaid']);
      if (back?.grounded === false && why === 'stopped') await jobs.add(run, [next]);
      ended.add(run, job);
      const told = why === 'unpaid' ? ['assay_ended', run] : ['assay_offered', OFFERED];
      await database.query('select pg_notify($1, $2)', told);
    },
  };
}

function workedRun(place: RunPlace, redactor: Redactor): WorkedRun {
  const log = openSharedLog(place, redactor);
  const stored = storedRun(place, new Map());
  return {
    stored,
    workspaces: keptWorkspaces(place.paths),
    logOf: ({ lease }) => ({ append: (facts) => log.append(facts, lease), read: stored.events }),
    artifacts: ({ lease }, trial, { attempt, onFailure }) =>
      attemptArtifacts(place, { ...trial, attempt }, { redactor, onFailure, lease }),
  };
}

const JOIN = `
  insert into worker (id, name, host, pid, version, slots, seen_until)
  values ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(secs => $7))`;

const LEAVE = 'update worker set seen_until = clock_timestamp(), leftovers = null where id = $1';

const UNDER_WAY = `select 1 from run where id = $1 and handed_out and state in ('queued', 'running', 'stopping')`;

const WAITS_FOR_BUDGET = 'update handed_trial set waits_for_budget = $2 where lease_id = $1';

const OTHERS_GO_ON = `
  select exists (
    select from handed_trial where run_id = $1 and lease_until > clock_timestamp() and not waits_for_budget
  ) as "othersGoOn"`;

const GIVE_BACK = `
  update handed_trial set lease_id = null, worker_id = null, lease_owner = null, lease_until = null, taken_at = null,
    waits_for_budget = false, job_id = $2, is_unpaid = $3
  where lease_id = $1 returning ground is not null as grounded`;

const TELL_VERSIONS = `
  insert into worker_versions (run_id, worker_id, versions) values ($1, $2, $3::text::json)
  on conflict (run_id, worker_id) do update set versions = excluded.versions`;
