import { AssayError } from '../../core/errors.ts';
import { acquireLock as acquire, type Lock, type Owner } from '../owner-lock.ts';

/** Claims a run for this process. Throws `run-in-use` where a living process writes it. */
export function acquireLock(file: string): Lock {
  return acquire(file, inUse);
}

function inUse(owner: Owner | undefined, file: string): AssayError {
  const who = owner === undefined ? 'another process' : `process ${owner.pid} on ${owner.host}`;
  return new AssayError('run-in-use', `the run is in use by ${who}`, {
    stage: 'log',
    hint: `wait until it ends; if that process no longer exists, remove ${file}`,
  });
}
