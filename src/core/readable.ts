import { AssayError, messageOf } from './errors.ts';

const WHOLE = 'the file is missing or was changed; copy the whole run again, or run its cases again';

/** Reads a file of a run, or a part of one. Throws `run-unreadable` with the path, or the place in the file, and a hint. */
export function readable<T>(path: string | (() => string), read: () => T, hint = WHOLE): T {
  try {
    return read();
  } catch (error) {
    const place = typeof path === 'string' ? path : path();
    throw new AssayError('run-unreadable', `cannot read ${place}: ${messageOf(error)}`, {
      stage: 'log',
      hint,
      cause: error,
    });
  }
}
