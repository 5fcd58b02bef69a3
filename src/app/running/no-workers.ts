import { AssayError } from '../../core/errors.ts';

/** The error of a run for workers whose store no other process can reach. */
export function noWorkers(): AssayError {
  return new AssayError('no-workers', 'workers need a PostgreSQL server, and this run is not kept in one', {
    stage: 'plan',
    hint: 'set DATABASE_URL to a PostgreSQL server (15 or newer)',
  });
}
