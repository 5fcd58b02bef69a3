import { AssayError, messageOf } from '../../core/errors.ts';
import { sqlState, type Database } from './database.ts';

/** Runs work that writes results. Throws `results-not-written` on an error of the database. */
export async function written<T>({ place }: Pick<Database, 'place'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AssayError && error.code !== 'database-unreachable') throw error;
    throw new AssayError('results-not-written', `cannot write to ${place}: ${messageOf(error)}`, {
      stage: 'log',
      hint: 'check that the database is running and has free space, then use assay resume',
      cause: error,
    });
  }
}

/** SQLSTATEs of transactions that were rolled back because of a concurrent one. */
const CONFLICTS: ReadonlySet<string | undefined> = new Set(['40P01', '40001']);

/** More processes than two may write the same shared rows, and each may lose several times in a row. */
const MOST_TRIES = 5;

/** Runs a transaction, and again if it lost a deadlock or a serialization conflict, at most five times. */
export async function againAfterConflict<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (tries === MOST_TRIES || !CONFLICTS.has(sqlState(error))) throw error;
    }
  }
}
