import type { RunSpec } from '../../../core/run-spec.ts';
import { trialKey } from '../../../core/trial.ts';
import { arrayText } from '../array-text.ts';
import type { Database, Queries } from '../database.ts';
import { writeBehind } from '../write-behind.ts';
import { columnsOfTrial, type identityColumns } from './trial-columns.ts';

/** Trials of one statement. */
const PAGE = 5000;

export type PlannedSpec = Pick<RunSpec, 'suites' | 'kinds' | 'cases' | 'targets'>;

/** Writes the trials of a plan that are not known yet, with their numbers. They have no end until the log tells one. */
export async function planTrials({ query }: Queries, run: string, spec: PlannedSpec): Promise<void> {
  const isNew = (await query('select 1 from trial where run_id = $1 limit 1', [run])).length === 0;
  const sql = isNew ? INSERT : `${INSERT} on conflict do nothing`;
  const { write, end } = writeBehind();
  let page: PlannedTrial[] = [];
  const writePage = () => {
    const columns = COLUMNS.map((column) => arrayText(page.map((trial) => trial[column] ?? '')));
    page = [];
    return write(() => query(sql, [run, ...columns]));
  };
  for (const planned of plannedTrials(spec)) {
    page.push(planned);
    if (page.length === PAGE) await writePage();
  }
  if (page.length > 0) await writePage();
  await end();
}

/** The same in the transaction that begins the run. Many trials only wait for `fillTrials`. */
export async function beginTrials(queries: Queries, run: string, spec: PlannedSpec): Promise<void> {
  if (trialCount(spec) <= PAGE) await planTrials(queries, run, spec);
  else await queries.query('insert into waiting_trials (run_id) values ($1)', [run]);
}

function trialCount({ kinds, cases }: PlannedSpec): number {
  const counts = kinds.map(({ targets, repeat }) => targets.length * repeat);
  return cases.kind.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

/** Gives waiting trials of a run their rows. Several processes may do that at once; one of them writes. */
export async function fillTrials(database: Database, run: string): Promise<void> {
  const [waits] = await database.query('select 1 from waiting_trials where run_id = $1', [run]);
  if (waits === undefined) return;
  await database.transaction(async (queries) => {
    const [taken] = await queries.query('delete from waiting_trials where run_id = $1 returning 1', [run]);
    if (taken === undefined) return;
    const [kept] = await queries.query<{ plan: string }>('select plan from run where id = $1', [run]);
    if (kept !== undefined) await planTrials(queries, run, JSON.parse(kept.plan) as PlannedSpec);
  });
}

/** Forgets the trials that a plan had and that no attempt has begun. */
export async function forgetPlanned({ query }: Queries, run: string): Promise<void> {
  await query(
    `delete from trial where run_id = $1 and started_sequence is null and ended_sequence is null
       and not exists (select from artifact where artifact.run_id = $1 and trial_number = trial.number)
       and not exists (select from run_event where run_event.run_id = $1 and trial_key = trial.key)`,
    [run],
  );
}

/** Whether two plans have the same trials under the same numbers. */
export function isSamePlan(one: PlannedSpec, other: PlannedSpec): boolean {
  const [left, right] = [plannedTrials(one), plannedTrials(other)];
  for (;;) {
    const [a, b] = [left.next(), right.next()];
    if (a.done === true || b.done === true) return a.done === b.done;
    if (a.value.key !== b.value.key) return false;
  }
}

type PlannedTrial = ReturnType<typeof identityColumns> & {
  readonly number: number;
  readonly key: string;
  readonly agent_id: string | null;
  readonly agent_version: number | null;
};

/** The trials of a plan with their numbers, in its order: by case, then by target, then by repetition. */
export function* plannedTrials({
  suites,
  kinds,
  cases,
  targets,
}: PlannedSpec): Generator<PlannedTrial, undefined> {
  const agents = new Map(targets.map(({ name, agent }) => [name, agent]));
  let number = 0;
  for (const [place, caseId] of cases.id.entries()) {
    const kind = kinds[cases.kind[place] ?? -1];
    if (kind === undefined) continue;
    const suite = suites[kind.suite]?.id ?? '';
    for (const target of kind.targets) {
      const { id = null, version = null } = agents.get(target) ?? {};
      for (let repetition = 1; repetition <= kind.repeat; repetition += 1) {
        const trial = { suite, caseId, target, repetition };
        const agent = { agent_id: id, agent_version: version };
        yield { number: (number += 1), key: trialKey(trial), ...columnsOfTrial(trial), ...agent };
      }
    }
  }
  return undefined;
}

const COLUMNS = [
  'number',
  'key',
  'suite',
  'case_key',
  'test_case_id',
  'target',
  'repetition',
  'agent_id',
  'agent_version',
] as const;

const INSERT = `
  insert into trial (run_id, ${COLUMNS.join(', ')})
  select $1, number, key, suite, case_key, nullif(test_case_id, '')::uuid, target, repetition,
    nullif(agent_id, '')::uuid, nullif(agent_version, '')::int
  from unnest($2::text::int[], $3::text::text[], $4::text::text[], $5::text::text[], $6::text::text[],
    $7::text::text[], $8::text::int[], $9::text::text[], $10::text::text[]) as trial (${COLUMNS.join(', ')})`;
