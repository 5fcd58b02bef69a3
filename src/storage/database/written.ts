import { AssayError, messageOf } from '../../core/errors.ts';
import type { Database } from './database.ts';

/** Work that writes results; what the database refuses becomes `results-not-written`. */
export async function written<T>({ place }: Pick<Database, 'place'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AssayError) throw error;
    throw new AssayError('results-not-written', `cannot write to ${place}: ${messageOf(error)}`, {
      stage: 'log',
      hint: 'check that the database runs and has space, then assay resume',
      cause: error,
    });
  }
}
