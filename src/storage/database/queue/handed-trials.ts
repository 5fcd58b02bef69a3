import { randomUUID } from 'node:crypto';

import type {
  HandedTrials,
  LostTrial,
  OfferedTrial,
  Refusal,
  WorkerVersions,
} from '../../../core/handed-trials.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Database, Queries, SqlRow } from '../database.ts';
import { listen } from '../listen.ts';
import { underLease, underRunLease } from '../runs/lease.ts';
import { written } from '../written.ts';
import { type Jobs, openJobs } from './jobs.ts';
import { tidyQueue } from './tidy-queue.ts';

/** A run whose lease this process has. */
interface ConductedRun {
  readonly database: Database;
  readonly id: string;
  /** The lease of the run. */
  readonly lease: string;
}

/** The conductor's side of the queue of a run. */
export async function openHandedTrials(run: ConductedRun, login: string): Promise<HandedTrials> {
  const { database, id } = run;
  const jobs = await openJobs(login, { supervises: true });
  let heard: () => void = () => undefined;
  const notices = await listen(login, 'assay_ended', (told) => {
    if (told === id || told === '') heard();
  });
  await jobs.open(id);
  // A worker may end one of them while it is offered again.
  const adopts = await hasHandedTrials(run);
  await conducting(run, ({ query }) => query('update run set handed_out = true where id = $1', [id]));
  const tidy = tidyQueue(database);
  return {
    async offer(trials, how) {
      const offered = await offer(run, jobs, { trials, isAgain: how === 'again', adopts });
      tidy(trials.length);
      return offered;
    },
    onEnded(listener) {
      heard = listener;
    },
    takeLost: () => conducting(run, ({ query }) => query<LostTrial & SqlRow>(TAKE_LOST, [id]), 'alone'),
    async takeUnpaid() {
      const unpaid = await database.query<{ number: number }>(TAKE_UNPAID, [id]);
      return unpaid.map(({ number }) => number);
    },
    refusals: () => refusalsOf(run),
    versions: () => versionsOf(run),
    async cancel() {
      const withdrawn = await conducting(
        run,
        async ({ query }) => {
          await query(ASK_TO_CANCEL, [id]);
          return await query<{ number: number }>(WITHDRAW_WAITING, [id]);
        },
        'alone',
      );
      await tellWorkers(database);
      return withdrawn.map(({ number }) => number);
    },
    async withdraw(number) {
      await conducting(run, ({ query }) => query(WITHDRAW, [id, number]), 'alone');
    },
    bury: (told) => jobs.bury(id, told),
    async withdrawAll() {
      await takeBack(run);
      await tellWorkers(database);
      await jobs.remove(id);
    },
    async [Symbol.asyncDispose]() {
      await notices[Symbol.asyncDispose]();
      await jobs[Symbol.asyncDispose]();
    },
  };
}

/** Ends what workers have of a run. What they write of its trials is refused from now on. */
export async function takeBack(run: ConductedRun): Promise<void> {
  await conducting(
    run,
    async ({ query }) => {
      await query('delete from handed_trial where run_id = $1', [run.id]);
      await query('delete from worker_ground where run_id = $1', [run.id]);
      await query('update run set handed_out = false where id = $1 and handed_out', [run.id]);
    },
    'alone',
  );
}

async function refusalsOf({ database, id }: ConductedRun): Promise<readonly Refusal[] | undefined> {
  const rows = await database.query<{ worker: string; reason: string | null; works: boolean }>(REFUSALS, [
    id,
  ]);
  const refusals = rows.flatMap(({ worker, reason, works }) =>
    reason === null || works ? [] : [{ worker, reason }],
  );
  return refusals.length === rows.length ? refusals : undefined;
}

async function versionsOf({ database, id }: ConductedRun): Promise<readonly WorkerVersions[]> {
  const rows = await database.query<{ worker: string; versions: string }>(VERSIONS, [id]);
  return rows.map(({ worker, versions }) => ({
    worker,
    versions: JSON.parse(versions) as WorkerVersions['versions'],
  }));
}

/** Whether workers have trials of a run, or may take some. */
export async function hasHandedTrials({ database, id }: Omit<ConductedRun, 'lease'>): Promise<boolean> {
  return (await database.query('select 1 from handed_trial where run_id = $1 limit 1', [id])).length > 0;
}

/** Works under the lease of the run. alone: while nobody appends to its log. */
async function conducting<T>(
  { database, id, lease }: ConductedRun,
  work: (queries: Queries) => Promise<T>,
  how?: 'alone',
): Promise<T> {
  return await written(database, () =>
    database.transaction(async (queries) => {
      if (how === 'alone') await queries.query('select 1 from run where id = $1 for update', [id]);
      await underLease(queries, id, lease);
      return await work(queries);
    }),
  );
}

interface Offer {
  readonly trials: readonly OfferedTrial[];
  /** Whether they were lost. */
  readonly isAgain: boolean;
  /** Whether workers may have trials of an earlier conductor. */
  readonly adopts: boolean;
}

async function offer(run: ConductedRun, jobs: Jobs, { trials, isAgain, adopts }: Offer) {
  const { id, database, lease } = run;
  const offered = trials.map(({ number, key, document, ground }) => ({
    number,
    key,
    document: JSON.stringify(document),
    job: randomUUID(),
    ground: ground?.key ?? null,
    alone: ground?.isAlone === true,
  }));
  const rows = await written(database, () =>
    database.transaction(async (queries, last) => {
      // Sent together, as the workers wait for them.
      const [, handed] = await Promise.all([
        adopts ? underLease(queries, id, lease) : underRunLease(queries, id, lease),
        queries.query<OfferedRow>(OFFER, [id, JSON.stringify(offered), isAgain], {
          preparedAs: 'offer-trials',
        }),
      ]);
      // Who takes a trial in a shared directory looks for it in the rows.
      const waiting = handed.flatMap(({ job, waits, grounded }) => (waits && !grounded ? [job] : []));
      if (waiting.length > 0) await jobs.add(id, waiting, queries);
      last([tellWorkers(queries, OFFERED)]);
      return handed;
    }),
  );
  return rows.flatMap(({ number, document, adopted }) =>
    adopted ? [{ number, document: JSON.parse(document) as JsonObject }] : [],
  );
}

/** What tells workers only that trials wait. Anything else may also concern the trials that they have. */
export const OFFERED = 'offered';

async function tellWorkers({ query }: Queries, what: typeof OFFERED | '' = ''): Promise<void> {
  await query(`select pg_notify('assay_offered', $1)`, [what]);
}

interface OfferedRow extends Readonly<Record<string, unknown>> {
  readonly number: number;
  readonly job: string;
  readonly document: string;
  /** Whether it shares a directory with others. */
  readonly grounded: boolean;
  /** Whether no worker has it. */
  readonly waits: boolean;
  /** Whether it was handed out before. */
  readonly adopted: boolean;
}

/** A trial that a worker has ended in the meantime is heard of later. */
const OFFER = `
  insert into handed_trial as before (run_id, trial_number, trial_key, document, job_id, ground, is_alone)
  select $1, number, key, document::json, job, ground, alone
  from json_to_recordset($2::text::json)
    as offered (number int, key text, document text, job uuid, ground text, alone boolean)
  where not exists (
    select from trial where trial.run_id = $1 and trial.number = offered.number and ended_sequence is not null)
  on conflict (run_id, trial_number) do update set
    document = case when $3 then excluded.document else before.document end,
    job_id = case when before.lease_id is null then excluded.job_id else before.job_id end,
    is_lost = before.is_lost and not $3,
    is_unpaid = false
  returning trial_number as number, job_id as job, document, ground is not null as grounded, lease_id is null and not is_lost as waits,
    xmax <> 0 and not $3 as adopted`;

const TAKE_LOST = `
  with lost as (
    select trial_number, lease_owner from handed_trial
    where run_id = $1 and (is_lost or lease_until < clock_timestamp()) for update
  )
  update handed_trial set lease_id = null, worker_id = null, lease_owner = null, lease_until = null, taken_at = null,
    waits_for_budget = false, losses = losses + (not is_lost)::int, is_lost = true, lost_owner = coalesce(lost.lease_owner, lost_owner)
  from lost where run_id = $1 and handed_trial.trial_number = lost.trial_number
  returning handed_trial.trial_number as number, losses, lost_owner as owner`;

const REFUSALS = `
  select name as worker, reason,
    exists (select from handed_trial where run_id = $1 and worker_id = worker.id) as works
  from worker left join worker_refusal on worker_refusal.worker_id = worker.id and worker_refusal.run_id = $1
  where seen_until > clock_timestamp() order by started_at, id`;

const VERSIONS = `
  select name as worker, versions from worker_versions join worker on worker.id = worker_id
  where run_id = $1 order by started_at, worker.id`;

const TAKE_UNPAID =
  'delete from handed_trial where run_id = $1 and is_unpaid returning trial_number as number';

const ASK_TO_CANCEL = `
  update handed_trial set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp())
  where run_id = $1 and lease_id is not null`;

const WITHDRAW_WAITING =
  'delete from handed_trial where run_id = $1 and lease_id is null returning trial_number as number';

const WITHDRAW = 'delete from handed_trial where run_id = $1 and trial_number = $2';
