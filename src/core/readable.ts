import { AssayError, messageOf } from './errors.ts';

const WHOLE = 'it is missing, or was changed since; copy the run whole, or run its cases again';

/** Reads a file of a run, or a part of one; what fails names the file and what to do. */
export function readable<T>(path: string, read: () => T, hint = WHOLE): T {
  try {
    return read();
  } catch (error) {
    throw new AssayError('run-unreadable', `cannot read ${path}: ${messageOf(error)}`, {
      stage: 'log',
      hint,
      cause: error,
    });
  }
}
