import { AssayError } from '../../core/errors.ts';

/** The error of a flag that only this process could honour. */
export function notSent(flag: string, hint: string, url: string): AssayError {
  const message = `${flag} cannot be used here: the run is executed by the server at ${url}`;
  return new AssayError('usage', message, { stage: 'plan', hint });
}
