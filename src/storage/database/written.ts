import { AssayError, messageOf } from '../../core/errors.ts';
import type { Database } from './database.ts';

/** Runs work that writes results. Throws `results-not-written` on an error of the database. */
export async function written<T>({ place }: Pick<Database, 'place'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AssayError) throw error;
    throw new AssayError('results-not-written', `cannot write to ${place}: ${messageOf(error)}`, {
      stage: 'log',
      hint: 'check that the database is running and has free space, then use assay resume',
      cause: error,
    });
  }
}
