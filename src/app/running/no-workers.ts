import { AssayError } from '../../core/errors.ts';

/** The error of a command for workers whose store no other process can reach. */
export function noWorkers(): AssayError {
  return new AssayError(
    'no-workers',
    'workers need a PostgreSQL database, but DATABASE_URL does not name one',
    {
      stage: 'plan',
      hint: 'set DATABASE_URL to a PostgreSQL server (15 or newer)',
    },
  );
}
