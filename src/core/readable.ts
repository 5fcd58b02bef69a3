import { AssayError, messageOf } from './errors.ts';

const WHOLE = 'the file is missing or was changed; copy the whole run again, or run its cases again';

/** Reads a file of a run, or a part of one. Throws `run-unreadable` with the path and a hint. */
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
