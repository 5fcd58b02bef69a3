import type { RunSpec } from '../../../core/run-spec.ts';
import type { ManifestHead } from '../../../core/run-store.ts';
import type { Rebuilt } from '../../../core/store-upkeep.ts';
import type { Database, Queries } from '../database.ts';
import { keepSettings } from './keep-settings.ts';
import { planTrials } from './plan-trials.ts';
import { project } from './project.ts';
import type { RunTotals } from './totals-fold.ts';
import { eventsIn } from './read-events.ts';
import { runDigests } from './run-digests.ts';
import type { RowFold } from './run-room.ts';

/** Events that are held at once. */
const MOST_EVENTS = 1000;

/**
 * Makes trials, grades and totals of all runs again from their logs, each run in one transaction. A run that a process
 * writes stays as it is: that process would wait, and its lease would run out.
 */
export async function rebuildRuns(database: Database, fold: RowFold): Promise<Rebuilt> {
  const all = await database.query<{ id: string }>('select id from run order by id');
  const skipped: string[] = [];
  for (const { id } of all) {
    const isRebuilt = await database.transaction((queries) => rebuildRun(queries, id, fold));
    if (!isRebuilt) skipped.push(id);
  }
  // A run that was just removed is in neither list.
  const left = await database.query<{ id: string }>(
    'select id from run where id = any($1::text[]) order by id',
    [skipped],
  );
  return { runs: all.length - skipped.length, skipped: left.map(({ id }) => id) };
}

/** False: a process writes it. */
async function rebuildRun(queries: Queries, run: string, fold: RowFold): Promise<boolean> {
  const [free] = await queries.query(
    `select 1 from run where id = $1 and (lease_until is null or lease_until < clock_timestamp()) for update`,
    [run],
  );
  if (free === undefined) return false;
  await queries.query('delete from grade where run_id = $1', [run]);
  await queries.query(RESET, [run]);
  await planAgain(queries, run);
  await settingsAgain(queries, run);
  let totals: RunTotals = { tally: fold.empty, spentUsd: 0, reservedUsd: 0 };
  let isTold = false;
  const digests = runDigests(run);
  for (let last: number | undefined = 0; last !== undefined;) {
    const events = await eventsIn(queries, run, { after: last, most: MOST_EVENTS });
    const after = await project(queries, events, { run, digests, fold, before: totals });
    isTold ||= after !== totals;
    totals = after;
    last = events.length < MOST_EVENTS ? undefined : events.at(-1)?.sequence;
  }
  await queries.query(
    'update run set tally = $2::text::json, spent_usd = $3, reserved_usd = $4 where id = $1',
    [run, isTold ? JSON.stringify(totals.tally) : null, totals.spentUsd, totals.reservedUsd],
  );
  return true;
}

/** Trials that somebody has removed. A run without any has lost them all. */
async function planAgain(queries: Queries, run: string): Promise<void> {
  const [kept] = await queries.query<{ plan: string | null }>(
    'select plan from run where id = $1 and not exists (select from trial where run_id = $1)',
    [run],
  );
  if (kept?.plan != null) await planTrials(queries, run, JSON.parse(kept.plan) as RunSpec);
}

/** Earlier versions kept neither the defaults of the request nor the digest of the cases. */
async function settingsAgain(queries: Queries, run: string): Promise<void> {
  const [kept] = await queries.query<{ manifest: string }>('select manifest from run where id = $1', [run]);
  if (kept !== undefined) await keepSettings(queries, run, JSON.parse(kept.manifest) as ManifestHead);
}

/** As it was planned; artifacts and reviews still name it. */
const RESET = `
  update trial set attempts = 0, verdict = null, status = null, stage = null, kind = null, message = null,
    failure_class = null, score = null, threshold = null, ending = null, limit_met = null, flags = '{}', turns = null,
    duration_ms = null, cost_usd = null, latency = null, usage = null, cost = null, late_notes = '{}', started_at = null,
    ended_at = null, started_sequence = null, ended_sequence = null, row = null
  where run_id = $1`;
