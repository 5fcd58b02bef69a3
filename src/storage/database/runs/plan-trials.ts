import type { RunSpec } from '../../../core/run-spec.ts';
import { trialKey } from '../../../core/trial.ts';
import { arrayText } from '../array-text.ts';
import type { Database, Queries } from '../database.ts';
import { writeBehind } from '../write-behind.ts';
import { againAfterConflict } from '../written.ts';
import { columnsOfTrial, type identityColumns } from './trial-columns.ts';

/** Trials of one statement. */
const PAGE = 5000;

/** The same while events of the run are written, which wait for the page. */
const WAITING_PAGE = 1000;

export type PlannedSpec = Pick<RunSpec, 'suites' | 'kinds' | 'cases' | 'targets'>;

/** Writes the trials of a plan that are not known yet, with their numbers. They have no end until the log tells one. */
export async function planTrials({ query }: Queries, run: string, spec: PlannedSpec): Promise<void> {
  const isNew = (await query('select 1 from trial where run_id = $1 limit 1', [run])).length === 0;
  const sql = isNew ? INSERT : INSERT_NEW;
  const { write, end } = writeBehind();
  const pageAt = pagesOf(spec);
  for (let first = 1, page = pageAt(first, PAGE); page.length > 0; page = pageAt(first, PAGE)) {
    const columns = columnsOf(page);
    await write(() => query(sql, [run, ...columns]));
    first += page.length;
  }
  await end();
}

/** Gives the trials of a plan from a number on, at most so many; none behind its end. */
function pagesOf(spec: PlannedSpec): (first: number, most: number) => readonly PlannedTrial[] {
  let trials = plannedTrials(spec);
  let coming = 1;
  return (first, most) => {
    if (first !== coming) [trials, coming] = [plannedTrials(spec), 1];
    const page: PlannedTrial[] = [];
    while (page.length < most) {
      const { value } = trials.next();
      if (value === undefined) break;
      coming = value.number + 1;
      if (value.number >= first) page.push(value);
    }
    return page;
  };
}

function columnsOf(page: readonly PlannedTrial[]): readonly string[] {
  return COLUMNS.map((column) => arrayText(page.map((trial) => trial[column] ?? '')));
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

/**
 * Gives waiting trials of a run their rows, while events of it may be written. Several processes may do that at once; each
 * page is written by one of them. `known`: the spec of the run; absent: it is read.
 */
export async function fillTrials(database: Database, run: string, known?: PlannedSpec): Promise<void> {
  const [waits] = await database.query('select 1 from waiting_trials where run_id = $1', [run]);
  if (waits === undefined) return;
  const spec = known ?? (await keptPlan(database, run));
  if (spec === undefined) return;
  const pageAt = pagesOf(spec);
  const fill = () => database.transaction((queries) => fillPage(queries, run, pageAt));
  while (await againAfterConflict(fill));
}

async function keptPlan({ query }: Queries, run: string): Promise<PlannedSpec | undefined> {
  const [kept] = await query<{ plan: string }>('select plan from run where id = $1', [run]);
  return kept && (JSON.parse(kept.plan) as PlannedSpec);
}

/** False: no trial waits any more. */
async function fillPage(
  { query }: Queries,
  run: string,
  pageAt: ReturnType<typeof pagesOf>,
): Promise<boolean> {
  // Events change rows of trials under this lock.
  await query('select 1 from run where id = $1 for no key update', [run]);
  const [at] = await query<{ next: number }>(
    'select next_number as next from waiting_trials where run_id = $1',
    [run],
  );
  if (at === undefined) return false;
  const page = pageAt(at.next, WAITING_PAGE);
  const isLast = page.length < WAITING_PAGE;
  await query(INSERT_NEW, [run, ...columnsOf(page)]);
  // Events write rows without the agents of the plan.
  if (page.some((trial) => trial.agent_version !== null)) await query(NAME_AGENTS, [run, ...columnsOf(page)]);
  if (isLast) await query('delete from waiting_trials where run_id = $1', [run]);
  else
    await query('update waiting_trials set next_number = $2 where run_id = $1', [run, at.next + page.length]);
  return !isLast;
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

const PLANNED = `
  select $1 as run_id, number, key, suite, case_key, nullif(test_case_id, '')::uuid as test_case_id, target, repetition,
    nullif(agent_id, '')::uuid as agent_id, nullif(agent_version, '')::int as agent_version
  from unnest($2::text::int[], $3::text::text[], $4::text::text[], $5::text::text[], $6::text::text[],
    $7::text::text[], $8::text::int[], $9::text::text[], $10::text::text[]) as trial (${COLUMNS.join(', ')})`;

const INSERT = `insert into trial (run_id, ${COLUMNS.join(', ')}) ${PLANNED}`;

const INSERT_NEW = `${INSERT} on conflict do nothing`;

const NAME_AGENTS = `
  update trial set agent_id = planned.agent_id, agent_version = planned.agent_version from (${PLANNED}) as planned
  where trial.run_id = $1 and trial.number = planned.number and trial.key = planned.key
    and trial.agent_version is null and planned.agent_version is not null`;
