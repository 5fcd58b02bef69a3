import { serverDatabase } from '../../../src/storage/database/server-database.ts';
import type { Running } from './cli.ts';
import type { ProjectHere } from './here.ts';
import type { Files, Project } from './project.ts';
import { PATIENCE_MS } from './served.ts';
import { until } from './until.ts';

export type Environment = Readonly<Record<string, string>>;

/** A project whose agent is asked over HTTP, with so many stored cases to import. */
export function projectFiles(url: string, trials: number): Files {
  return {
    'assay.config.json': {
      targets: { bot: { type: 'http', url } },
      user: { type: 'scripted', messages: [] },
      judge: { model: 'none/none', metrics: [] },
      run: { seed: 3, concurrency: 6, expectations: [{ type: 'contains', value: 'right' }] },
    },
    'cases.json': Array.from({ length: trials }, (_, number) => ({
      name: `case ${number}`,
      initial_message: `question ${number}`,
    })),
  };
}

/** Migrates the database and imports the cases. */
export async function filled(project: ProjectHere, env: Environment): Promise<void> {
  for (const args of [
    ['db', 'migrate'],
    ['cases', 'import', 'cases.json'],
  ]) {
    const { code, stderr } = await project.here(args, env);
    if (code !== 0) throw new Error(stderr);
  }
}

/** Starts a worker and waits until it can take trials. */
export async function worker(project: Project, env: Environment, flags: readonly string[]): Promise<Running> {
  const program = project.start(['worker', ...flags], env);
  let isOver = false;
  void program.ended.then(() => (isOver = true));
  await until('a ready worker', () => isOver || program.printed().includes('is ready'), PATIENCE_MS);
  if (isOver) throw new Error(`assay worker ended: ${program.complaints()}`);
  return program;
}

/** What the log and the queue of a run hold. */
export interface Ends {
  /** How many trials have so many ends. */
  readonly ends: readonly { readonly times: number; readonly trials: number }[];
  /** How many trials have so many attempts. */
  readonly attempts: readonly { readonly attempts: number; readonly trials: number }[];
  /** How many trials are still handed out. */
  readonly handed: number;
}

export async function endsIn(url: string, run: string): Promise<Ends> {
  return await asking(url, async (query) => {
    const ends = await query(
      `select times, count(*) as trials from (
         select trial_key, count(*) as times from run_event where run_id = $1 and type = 'trial-end' group by trial_key
       ) as ends group by times order by times`,
      [run],
    );
    const attempts = await query(
      `select attempts, count(*) as trials from trial where run_id = $1 group by attempts order by attempts`,
      [run],
    );
    const [left] = await query('select count(*) as handed from handed_trial where run_id = $1', [run]);
    return { ends, attempts, handed: left?.['handed'] } as unknown as Ends;
  });
}

/** Lets the leases on trials run out, or also those on runs. */
export async function endLeases(url: string, of: 'trials' | 'runs'): Promise<void> {
  await asking(url, async (query) => {
    if (of === 'runs')
      await query('update run set lease_until = clock_timestamp() where lease_id is not null', []);
    else
      await query('update handed_trial set lease_until = clock_timestamp() where lease_id is not null', []);
  });
}

/** Lets the leases of a killed process run out: on runs, and on trials. */
export async function endLeasesOf(url: string, pid: number): Promise<void> {
  const owner = `%process ${pid} on %`;
  await asking(url, async (query) => {
    for (const table of ['run', 'handed_trial'])
      await query(`update ${table} set lease_until = clock_timestamp() where lease_owner like $1`, [owner]);
  });
}

/** What is kept of the trials of a run that ended all their workers. */
export async function deadLettersOf(url: string, run: string): Promise<readonly unknown[]> {
  return await asking(url, async (query) => {
    const rows = await query(
      "select data::json as data from pgboss.job where name = 'assay-dead-letters' and data ->> 'run' = $1",
      [run],
    );
    return rows.map(({ data }) => JSON.parse(String(data)) as unknown);
  });
}

/** The process that conducts a run. Undefined: nobody does. */
export async function conductorOf(url: string, run: string): Promise<number | undefined> {
  return await asking(url, async (query) => {
    const [row] = await query('select lease_owner as owner from run where id = $1', [run]);
    const pid = /process (\d+) on/.exec(String(row?.['owner']))?.[1];
    return pid === undefined ? undefined : Number(pid);
  });
}

/** The documents of facts of one type in a run, in order. */
export async function factsIn(url: string, run: string, type: string): Promise<readonly unknown[]> {
  return await asking(url, async (query) => {
    const rows = await query('select fact from run_event where run_id = $1 and type = $2 order by sequence', [
      run,
      type,
    ]);
    return rows.map(({ fact }) => JSON.parse(String(fact)) as unknown);
  });
}

/** The names of the artifacts of a run in the store, by trial. */
export async function artifactsIn(
  url: string,
  run: string,
): Promise<readonly { readonly trial: number; readonly names: readonly string[] }[]> {
  return await asking(url, async (query) => {
    const rows = await query(
      'select trial_number as trial, name from artifact where run_id = $1 order by trial_number, name',
      [run],
    );
    const names = new Map<number, string[]>();
    for (const { trial, name } of rows)
      names.set(Number(trial), [...(names.get(Number(trial)) ?? []), String(name)]);
    return [...names].map(([trial, own]) => ({ trial, names: own }));
  });
}

type Query = (
  sql: string,
  parameters: readonly string[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

async function asking<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const database = await serverDatabase(url);
  try {
    return await work((sql, parameters) => database.query(sql, parameters));
  } finally {
    await database.close();
  }
}
