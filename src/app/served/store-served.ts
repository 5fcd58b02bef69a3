import { AssayError } from '../../core/errors.ts';

/** The error of a command that a running server keeps from the database. */
export function storeServed(url: string): AssayError {
  return new AssayError('store-served', `the store of this project is served at ${url}`, {
    stage: 'plan',
    hint: 'use its API or its dashboard, or stop the server first',
  });
}
