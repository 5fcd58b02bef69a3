import { AssayError, messageOf } from '../core/errors.ts';

/** Runs a write. Throws `results-not-written` if it fails. */
export function guarded<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw notWritten(path, error);
  }
}

/** The same for asynchronous work. */
export async function guardedWork<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw notWritten(path, error);
  }
}

function notWritten(path: string, error: unknown): AssayError {
  return new AssayError('results-not-written', `cannot write ${path}: ${messageOf(error)}`, {
    stage: 'log',
    hint: 'free disk space or choose another folder with --out, then use assay resume',
    cause: error,
  });
}
