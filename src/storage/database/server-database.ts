import type { Pool, PoolClient } from 'pg';

import { AssayError, messageOf } from '../../core/errors.ts';
import { given } from '../../lib/given.ts';
import { cancelledOnAbort } from './cancel-on-abort.ts';
import type {
  Cancelling,
  Database,
  LastStatements,
  Parameter,
  Queries,
  StatementOptions,
} from './database.ts';
import { gatheringSocket } from './gathering-socket.ts';
import { SESSION_SETTINGS, VALUE_PARSERS } from './value-parsers.ts';

/** Most parallel connections. */
const MOST_CONNECTIONS = 10;

/** How long a transaction may wait for its next statement. */
const MOST_IDLE_SECONDS = 120;

/** What a process may have of a server. */
export interface ServerShare {
  /** Most parallel connections; absent: 10. */
  readonly connections?: number;
  /**
   * How long a transaction of it may wait for its next statement; absent: 120 seconds. A process that lost its network
   * leaves its locks until then, and others wait for a lock for 60 seconds.
   */
  readonly mostIdleSeconds?: number;
}

/** A PostgreSQL server, 15 or newer. Throws `database-unreachable` and `database-too-old`. */
export async function serverDatabase(
  url: string,
  { connections = MOST_CONNECTIONS, mostIdleSeconds = MOST_IDLE_SECONDS }: ServerShare = {},
): Promise<Database> {
  const place = placeOf(url);
  const { default: pg } = await import('pg');
  const getTypeParser: typeof pg.types.getTypeParser = (type: number, format?: 'text' | 'binary') =>
    VALUE_PARSERS[type] ?? pg.types.getTypeParser(type, format as 'text');
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'assay',
    types: { getTypeParser },
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Statements of a transaction may be sent before the one before is answered.
    pipeline: true,
    stream: gatheringSocket,
    onConnect: (client) =>
      client.query(
        `${SESSION_SETTINGS}; set lock_timeout to '60s'; set idle_in_transaction_session_timeout to '${mostIdleSeconds}s'`,
      ),
  });
  // A broken idle connection is replaced. A query on a broken connection fails.
  pool.on('error', () => undefined);
  try {
    await refuseOld(queriesOf(pool), place);
  } catch (error) {
    await pool.end();
    throw error instanceof AssayError ? error : unreachable(place, error);
  }
  const told = <T>(work: () => Promise<T>) => tellingWhenGone(place, work);
  const { query, script } = queriesOf(pool);
  return {
    query: <Row extends object>(sql: string, parameters?: readonly Parameter[], how?: StatementOptions) =>
      told(() =>
        how?.signal === undefined
          ? query<Row>(sql, parameters, how)
          : cancellable<Row>(pool, { sql, parameters, how, signal: how.signal }),
      ),
    script: (sql) => told(() => script(sql)),
    kind: 'server',
    place,
    login: url,
    transaction: (work, how) => told(() => transaction(pool, work, how)),
    close: () => pool.end(),
  };
}

interface CancellableStatement {
  readonly sql: string;
  readonly parameters: readonly Parameter[] | undefined;
  readonly how: StatementOptions;
  readonly signal: AbortSignal;
}

async function cancellable<Row extends object>(
  pool: Pool,
  { sql, parameters, how, signal }: CancellableStatement,
): Promise<readonly Row[]> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { query } = queriesOf(client);
    return await cancelledOnAbort(signal, { pool, client }, () => query<Row>(sql, parameters, how));
  } catch (error) {
    if (error instanceof Error && isOfConnection(error)) broken = error;
    throw error;
  } finally {
    client.release(broken);
  }
}

async function transaction<T>(
  pool: Pool,
  work: (queries: Queries, last: LastStatements) => Promise<T>,
  { signal }: Cancelling = {},
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that breaks in a transaction rejects the statement and emits this event.
  const breaks = (error: Error) => {
    broken = error;
  };
  client.on('error', breaks);
  // Answered before the first statement of the work.
  const begin = client.query('begin');
  begin.catch(() => undefined);
  try {
    const last: Promise<unknown>[] = [];
    const worked = () => work(queriesOf(client), (sent) => void last.push(...sent));
    const [result] = await Promise.all([
      signal === undefined ? worked() : cancelledOnAbort(signal, { pool, client }, worked),
      begin,
    ]);
    // The answer to a commit behind a failed statement is no error.
    await Promise.all([...last, client.query('commit')]);
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken ??= failure;
    });
    throw error;
  } finally {
    client.off('error', breaks);
    client.release(broken);
  }
}

function queriesOf(runner: Pool | PoolClient): Queries {
  return {
    async query<Row extends object>(
      text: string,
      parameters: readonly Parameter[] = [],
      how?: StatementOptions,
    ) {
      const values = parameters.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value));
      return (await runner.query({ text, values, ...given({ name: how?.preparedAs }) })).rows as Row[];
    },
    async script(sql) {
      await runner.query(sql);
    },
  };
}

const OLDEST = 150_000;

async function refuseOld({ query }: Queries, place: string): Promise<void> {
  const [row] = await query<{ version: string; number: number }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
  );
  if (row === undefined || row.number >= OLDEST) return;
  throw new AssayError('database-too-old', `PostgreSQL ${row.version} at ${place} is too old`, {
    stage: 'plan',
    hint: 'use PostgreSQL 15 or newer',
  });
}

/** Throws `database-unreachable` where the connection is lost or refused, and other errors as they are. */
async function tellingWhenGone<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error && isOfConnection(error) ? unreachable(place, error) : error;
  }
}

/** SQLSTATEs of lost connections and of waiting too long, system errors of sockets, and what `pg` throws without a code. */
function isOfConnection(error: Error): boolean {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  if (/^(?:08...|57P0[1-3]|25P03|55P03)$/.test(code) || SOCKET_CALLS.has(syscall)) return true;
  return /^Connection terminated|^Client has encountered a connection error|is not queryable|^timeout exceeded when/.test(
    error.message,
  );
}

/** Work in a transaction may also read files. */
const SOCKET_CALLS: ReadonlySet<string> = new Set(['connect', 'read', 'write', 'getaddrinfo']);

function unreachable(place: string, error: unknown): AssayError {
  return new AssayError('database-unreachable', `cannot connect to ${place}: ${messageOf(error)}`, {
    stage: 'plan',
    hint: 'check DATABASE_URL, and that the server is running and accepts the login',
  });
}

const PROTOCOLS: ReadonlySet<string> = new Set(['postgres:', 'postgresql:', 'socket:']);

/** Host, port and name: the address without its account and its password. */
function placeOf(url: string): string {
  try {
    const { protocol, host, pathname, searchParams } = new URL(url);
    if (!PROTOCOLS.has(protocol)) throw new Error(`${protocol} is not PostgreSQL`);
    return `${protocol}//${host === '' ? (searchParams.get('host') ?? '') : host}${pathname}`;
  } catch {
    throw new AssayError('database-unreachable', 'DATABASE_URL is not a valid database URL', {
      stage: 'plan',
      hint: 'write it as postgres://ACCOUNT:PASSWORD@HOST:5432/NAME',
    });
  }
}
