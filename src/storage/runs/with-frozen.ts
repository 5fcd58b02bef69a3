import type { BegunRun, OpenRun } from '../../core/run-store.ts';

/** Keeps the copies of a run that has just begun. Releases the run if that fails. */
export async function withFrozen(run: OpenRun, frozen: BegunRun['frozen']): Promise<OpenRun> {
  if (frozen === undefined) return run;
  try {
    await run.keepFrozen(frozen);
    return run;
  } catch (error) {
    await run.release();
    throw error;
  }
}
