import type { Row } from '../../../core/run.ts';
import type { Queries } from '../database.ts';
import { gradeColumns, identityColumns, rowColumns } from './trial-columns.ts';

/** What a log has come to for one trial. */
export interface TrialState {
  readonly number: number;
  readonly key: string;
  /** Of the start that it is running from; null: it is not running. */
  readonly startedSequence: number | null;
  /** Of the end that counts; null: it has none. */
  readonly endedSequence: number | null;
  readonly row: Row | undefined;
  readonly lateNotes: readonly string[];
}

export interface ChangedTrials {
  changed(): readonly TrialState[];
  /** Numbers of those that had grades before. */
  graded(): readonly number[];
}

/** The highest number of a digest that the grades of changed trials have; -1: they have none. */
export function lastDigestOf({ changed }: ChangedTrials): number {
  let last = -1;
  for (const { row } of changed())
    for (const { digest = -1 } of row?.grades ?? []) last = Math.max(last, digest);
  return last;
}

export interface TrialsToWrite extends ChangedTrials {
  /** Of the run, by their numbers: at least up to `lastDigestOf`. */
  readonly digests: readonly string[];
}

/** Makes trials and their grades what they are now: statements in their order, to be sent without waiting. */
export function writeTrials(
  { query }: Queries,
  run: string,
  { changed, graded, digests }: TrialsToWrite,
): readonly Promise<unknown>[] {
  const states = changed();
  if (states.length === 0) return [];
  const writing: Promise<unknown>[] = [
    query(UPSERT, [run, JSON.stringify(states.map(columnsOf))], { preparedAs: 'write-trials' }),
  ];
  const numbers = graded();
  if (numbers.length > 0) writing.push(query(DELETE_GRADES, [run, numbers]));
  const grades = states.flatMap(({ number, row }) =>
    (row?.grades ?? []).map((grade, index) => ({
      trial_number: number,
      ordinal: index + 1,
      ...gradeColumns(grade, digests),
    })),
  );
  if (grades.length > 0)
    writing.push(query(INSERT_GRADES, [run, JSON.stringify(grades)], { preparedAs: 'write-grades' }));
  return writing;
}

const DELETE_GRADES = 'delete from grade where run_id = $1 and trial_number = any($2::int[])';

function columnsOf({ number, key, startedSequence, endedSequence, row, lateNotes }: TrialState) {
  return {
    number,
    key,
    ...identityColumns(key),
    ...(row === undefined ? {} : rowColumns(row)),
    late_notes: lateNotes,
    started_sequence: startedSequence,
    ended_sequence: endedSequence,
  };
}

const FROM_ROW = `verdict, status, stage, kind, message, failure_class, score, threshold, ending, limit_met, turns,
  duration_ms, cost_usd, started_at, ended_at, started_sequence, ended_sequence`;

const JSON_COLUMNS = ['latency', 'usage', 'cost', 'row'];

/** What planning knows of a trial stays when its end is void. A grade run has no plan: it tests the agents of its source. */
const UPSERT = `
  insert into trial (run_id, number, key, suite, case_key, test_case_id, target, repetition, agent_id, agent_version,
    attempts, tags, difficulty, case_name, flags, late_notes, ${FROM_ROW}, ${JSON_COLUMNS.join(', ')})
  select $1, number, key, suite, case_key, test_case_id, target, repetition, agent_id, agent_version,
    coalesce(attempts, 0), coalesce(tags, '{}'), difficulty, case_name, coalesce(flags, '{}'), late_notes, ${FROM_ROW},
    ${JSON_COLUMNS.map((name) => `${name}::json`).join(', ')}
  from json_to_recordset($2::text::json) as trial (
    number int, key text, suite text, case_key text, test_case_id uuid, target text, repetition int, attempts int,
    tags text[], difficulty text, flags text[], late_notes text[], verdict text, status text, stage text, kind text,
    message text, failure_class text, score double precision, threshold double precision, ending text, limit_met text,
    turns int, duration_ms double precision, cost_usd double precision, case_name text,
    started_at timestamptz, ended_at timestamptz, started_sequence bigint, ended_sequence bigint, latency text, usage text, cost text, row text
  )
  left join lateral (
    select agent_id, agent_version from trial as graded
    where graded.run_id = (select source_run_id from run where run.id = $1) and graded.key = trial.key limit 1
  ) as source on true
  on conflict (run_id, number) do update set
    tags = case when excluded.row is null then trial.tags else excluded.tags end,
    difficulty = case when excluded.row is null then trial.difficulty else excluded.difficulty end,
    case_name = case when excluded.row is null then trial.case_name else excluded.case_name end,
    ${['attempts', 'flags', 'late_notes', ...FROM_ROW.split(/,\s+/), ...JSON_COLUMNS]
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;

const INSERT_GRADES = `
  insert into grade (run_id, trial_number, ordinal, name, type, score, passed, required, weight, failure_code, digest,
    body)
  select $1, trial_number, ordinal, name, type, score, passed, required, weight, failure_code, digest, body::json
  from json_to_recordset($2::text::json) as grade (
    trial_number int, ordinal int, name text, type text, score double precision, passed boolean,
    required double precision, weight double precision, failure_code text, digest text, body text
  )`;
