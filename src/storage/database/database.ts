/** A value of a statement. JSON goes in as its text, through `$n::text::json`, so that it stays byte for byte. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | null)[]
  | readonly (number | null)[]
  | readonly (boolean | null)[];

/** A row as both databases give it: counts as numbers, JSON as its text, times as ISO 8601 with microseconds. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Runs single statements, written for PostgreSQL 15. */
export interface Queries {
  query<Row extends SqlRow = SqlRow>(sql: string, parameters?: readonly Parameter[]): Promise<readonly Row[]>;
  /** Several statements without parameters. */
  script(sql: string): Promise<void>;
}

/** A PostgreSQL database: a server, or the embedded one. */
export interface Database extends Queries {
  readonly kind: 'server' | 'embedded';
  /** For people, without a password. */
  readonly place: string;
  /** What `work` does with its queries happens whole or not at all. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The code of an error that the database itself has told, such as `23505`. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
