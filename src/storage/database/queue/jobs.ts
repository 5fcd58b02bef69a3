import type { ConnectionOptions, PgBoss } from 'pg-boss';

import { messageOf } from '../../../core/errors.ts';
import type { Parameter, Queries } from '../database.ts';

/** Jobs of pg-boss: hints that a trial waits. What a trial is and who has it is in its row. */
export interface Jobs extends AsyncDisposable {
  /** Makes the queue of a run, unless it exists. */
  open(run: string): Promise<void>;
  /** Removes the queue of a run with its jobs. */
  remove(run: string): Promise<void>;
  /** Adds a job with this id for each waiting trial. `queries`: of a transaction that it is part of. */
  add(run: string, ids: readonly string[], queries?: Queries): Promise<void>;
  /** Takes at most so many jobs; without a touch in time, others get them. */
  fetch(run: string, most: number): Promise<readonly string[]>;
  /** Gives fetched jobs to others at once. */
  giveBack(run: string, ids: readonly string[]): Promise<void>;
  touch(run: string, ids: readonly string[]): Promise<void>;
  complete(run: string, ids: readonly string[]): Promise<void>;
  /** Keeps what a trial was that ended every worker, with the reason. */
  bury(run: string, told: { readonly trial: string; readonly reason: string }): Promise<void>;
}

/** Without a touch for so long, a job goes to another worker. */
const HEARTBEAT_SECONDS = 60;

/** The longest time of a trial. */
const EXPIRE_SECONDS = 23 * 3600;

/** A job that nobody works on is tried again as often as needed: what ends a trial is in its row. */
const RETRIES = 1_000_000;

const DEAD_LETTERS = 'assay-dead-letters';

const SUPERVISED_SECONDS = 10;

/** Connects pg-boss to a database. `supervises`: it gives jobs of dead workers to others. */
export async function openJobs(
  login: string,
  { supervises }: { readonly supervises: boolean },
): Promise<Jobs> {
  const { PgBoss: Boss } = await import('pg-boss');
  const boss: PgBoss = new Boss({
    connectionString: login,
    application_name: 'assay',
    max: 2,
    schedule: false,
    supervise: supervises,
    superviseIntervalSeconds: SUPERVISED_SECONDS,
    monitorIntervalSeconds: SUPERVISED_SECONDS,
  });
  // The next call fails too where the database is gone, and tells it.
  boss.on('error', () => undefined);
  await boss.start();
  return {
    async open(run) {
      await boss.createQueue(queueOf(run), {
        expireInSeconds: EXPIRE_SECONDS,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        retryLimit: RETRIES,
        deleteAfterSeconds: 3600,
      });
    },
    remove: (run) => boss.deleteQueue(queueOf(run)),
    async add(run, ids, queries) {
      await boss.insert(
        queueOf(run),
        ids.map((id) => ({ id })),
        queries && { db: through(queries) },
      );
    },
    async fetch(run, most) {
      const jobs = await unlessGone(boss.fetch(queueOf(run), { batchSize: most }));
      return (jobs ?? []).map(({ id }) => id);
    },
    async giveBack(run, ids) {
      await unlessGone(boss.fail(queueOf(run), [...ids]));
    },
    async touch(run, ids) {
      if (ids.length > 0) await unlessGone(boss.touch(queueOf(run), [...ids]));
    },
    async complete(run, ids) {
      if (ids.length > 0) await unlessGone(boss.complete(queueOf(run), [...ids]));
    },
    async bury(run, told) {
      await boss.createQueue(DEAD_LETTERS);
      await boss.send(DEAD_LETTERS, { run, ...told });
    },
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false, close: true }),
  };
}

/** Statements of pg-boss over a connection of ours. */
function through({ query }: Queries): NonNullable<ConnectionOptions['db']> {
  return {
    executeSql: async (sql, values = []) => ({
      rows: [...(await query(sql, values as readonly Parameter[]))],
    }),
  };
}

/** Undefined where the queue is gone, since its run has ended. pg-boss tells it by its text alone. */
async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (/^Queue \S+ does not exist$/.test(messageOf(error))) return undefined;
    throw error;
  }
}

function queueOf(run: string): string {
  return `assay-${run}`;
}
