import type { Manifest, RunState } from '../../core/run.ts';
import { isLocked } from '../../storage/run-directory/lock.ts';
import type { RunPaths } from '../../storage/run-directory/paths.ts';

/** The state of a stored run now: one whose process died says that it is running, and is interrupted. */
export function presentState(paths: RunPaths, { state }: Pick<Manifest, 'state'>): RunState {
  return state === 'running' && !isLocked(paths.lock) ? 'interrupted' : state;
}
