import { join } from 'node:path';

import type { ClaimedAttempt } from '../../core/run-store.ts';
import { artifactsIn } from '../attempts/artifact-folder.ts';
import { acquireLock } from './lock.ts';

/** Claims the folder of an attempt. A failed write there throws, but does not end the run. */
export function claimAttempt(folder: string): ClaimedAttempt {
  const lock = acquireLock(join(folder, 'explain.lock'));
  return {
    artifacts(name, redactor) {
      const artifacts = artifactsIn(() => join(folder, name), { redactor, onFailure: () => {} });
      artifacts.directory();
      return artifacts;
    },
    release: lock.release,
  };
}
