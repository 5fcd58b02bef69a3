/** A parameter of a statement. JSON is passed as text with `$n::text::json`, so that its bytes do not change. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | null)[]
  | readonly (number | null)[]
  | readonly (boolean | null)[];

/** A result row, the same from both databases: counts as numbers, JSON as text, times as ISO 8601 with microseconds. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** How a server runs a statement. */
export interface StatementOptions extends Cancelling {
  /** Names this text alone, which a server then reads and plans once for each connection. */
  readonly preparedAs?: string;
}

export interface Cancelling {
  /** When it aborts, a server cancels the statement, and the result rejects with its reason. The embedded one goes on. */
  readonly signal?: AbortSignal;
}

/** Runs single statements, written for PostgreSQL 15. */
export interface Queries {
  query<Row extends object = SqlRow>(
    sql: string,
    parameters?: readonly Parameter[],
    how?: StatementOptions,
  ): Promise<readonly Row[]>;
  /** Several statements without parameters. */
  script(sql: string): Promise<void>;
}

/**
 * Takes the last statements of a transaction, sent but not waited for. The commit follows them at once, so that locks are
 * held for a shorter time. If one fails, the transaction fails.
 */
export type LastStatements = (sent: readonly Promise<unknown>[]) => void;

/** A PostgreSQL database: a server, or the embedded one. */
export interface Database extends Queries {
  readonly kind: 'server' | 'embedded';
  /** Address for people, without a password. */
  readonly place: string;
  /** Address with account and password, for further connections. Absent: it has only one. */
  readonly login?: string;
  /** Runs the queries of `work` in one transaction. */
  transaction<T>(work: (queries: Queries, last: LastStatements) => Promise<T>, how?: Cancelling): Promise<T>;
  close(): Promise<void>;
}

/** A row without its nulls, for a shape whose keys are absent instead. */
export function withoutNulls<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row;
}

/** The SQLSTATE of an error of the database, such as `23505`. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
