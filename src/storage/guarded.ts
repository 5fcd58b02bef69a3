import { AssayError, messageOf } from '../core/errors.ts';

/** Runs a write; what fails says that results could not be written. */
export function guarded<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw notWritten(path, error);
  }
}

/** The same for work that takes time. */
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
    hint: 'free disk space or choose another place with --out, then assay resume',
    cause: error,
  });
}
