import type { Database } from './database.ts';

/** Rows from which a write changes what the database should know of its tables. */
const MANY = 1000;

/**
 * Tells the database what its tables hold after many rows were written, so that it uses their indexes. It would do so by
 * itself, but only minutes later. Nobody waits for it.
 */
export function tidyAfter(
  database: Database,
  rows: number,
  statement: `${'analyze' | 'vacuum (analyze)'} ${string}`,
): void {
  if (rows < MANY) return;
  // If it fails, the database does it later.
  void database.script(statement).catch(() => undefined);
}
