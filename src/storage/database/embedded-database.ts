import type { Worker } from 'node:worker_threads';

import { AssayError } from '../../core/errors.ts';
import { startOwnWorker } from '../../lib/modules/own-worker.ts';
import type { Database, LastStatements, Parameter, Queries, SqlRow } from './database.ts';
import { claimDataFolder } from './data-folder.ts';

/** The start parameters of the thread. */
export interface EmbeddedPlace {
  readonly folder: string;
}

/** A request to the thread, which answers in order. */
export interface EmbeddedRequest {
  readonly id: number;
  readonly job: 'query' | 'script' | 'close';
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

/** Its answer. `code` is the SQLSTATE of an error. */
export interface EmbeddedAnswer {
  readonly id: number;
  readonly rows?: readonly SqlRow[];
  readonly error?: { readonly message: string; readonly code?: string };
}

/**
 * Opens the embedded database below `data`, and creates it if it does not exist. Only one process at a time: throws
 * `data-directory-in-use`, and `data-directory-other-version` for a folder of another major version.
 */
export async function embeddedDatabase(data: string): Promise<Database> {
  const { folder, release } = claimDataFolder(data);
  const ask = threadOrRelease(folder, release);
  const oneByOne = queue();
  const queries = queriesOf(ask);
  const close = () =>
    oneByOne(async () => {
      try {
        await ask('close', '');
      } finally {
        ask.end();
        release();
      }
    });
  const database: Database = {
    kind: 'embedded',
    place: data,
    query: (sql, parameters) => oneByOne(() => queries.query(sql, parameters)),
    script: (sql) => oneByOne(() => queries.script(sql)),
    transaction: (work) => oneByOne(() => transaction(queries, work)),
    close,
  };
  try {
    await database.query('select 1');
    return database;
  } catch (error) {
    ask.end();
    release();
    throw unusable(data, error);
  }
}

async function transaction<T>(
  queries: Queries,
  work: (queries: Queries, last: LastStatements) => Promise<T>,
): Promise<T> {
  await queries.script('begin');
  try {
    const last: Promise<unknown>[] = [];
    const result = await work(queries, (sent) => void last.push(...sent));
    await Promise.all(last);
    await queries.script('commit');
    return result;
  } catch (error) {
    await queries.script('rollback').catch(() => undefined);
    throw error;
  }
}

type Ask = ((
  job: EmbeddedRequest['job'],
  sql: string,
  parameters?: readonly Parameter[],
) => Promise<readonly SqlRow[]>) & { readonly end: () => void };

interface Waiting {
  readonly resolve: (rows: readonly SqlRow[]) => void;
  readonly reject: (error: Error) => void;
}

function threadOrRelease(folder: string, release: () => void): Ask {
  try {
    return thread({ folder });
  } catch (error) {
    release();
    throw error;
  }
}

/** The thread keeps the process alive only during a request. */
function thread(place: EmbeddedPlace): Ask {
  const worker = startOwnWorker('storage/database/embedded-host', place);
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let gone: Error | undefined;
  const lose = (error: Error) => {
    gone ??= error;
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
  };
  worker.on('message', ({ id, rows = [], error }: EmbeddedAnswer) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    if (error === undefined) asked?.resolve(rows);
    else asked?.reject(Object.assign(new Error(error.message), error));
  });
  worker.on('error', (error: Error) => lose(error));
  worker.on('exit', () => lose(new Error('the embedded database has stopped')));
  const ask = (job: EmbeddedRequest['job'], sql: string, parameters: readonly Parameter[] = []) =>
    new Promise<readonly SqlRow[]>((resolve, reject) => {
      if (gone !== undefined) {
        reject(gone);
        return;
      }
      const id = (last += 1);
      waiting.set(id, { resolve, reject });
      worker.ref();
      send(worker, { id, job, sql, parameters });
    });
  return Object.assign(ask, { end: () => void worker.terminate() });
}

function send(worker: Worker, request: EmbeddedRequest): void {
  worker.postMessage(request);
}

function queriesOf(ask: Ask): Queries {
  return {
    query: async <Row extends object>(sql: string, parameters: readonly Parameter[] = []) =>
      (await ask('query', sql, parameters)) as readonly Row[],
    async script(sql) {
      await ask('script', sql);
    },
  };
}

/** Runs work in order, one at a time, because there is only one connection. */
function queue(): <T>(work: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = before.then(work);
    before = result.catch(() => undefined);
    return result;
  };
}

function unusable(data: string, error: unknown): AssayError {
  const { message, code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
    return new AssayError('embedded-database-missing', 'the embedded database is not installed', {
      stage: 'plan',
      hint: 'install @electric-sql/pglite, or set DATABASE_URL to a PostgreSQL server',
    });
  return new AssayError('database-unreachable', `cannot open the database in ${data}: ${message}`, {
    stage: 'plan',
    hint: 'check the folder and its permissions, or restore it from a backup',
  });
}
