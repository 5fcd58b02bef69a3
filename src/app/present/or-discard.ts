import type { OpenRun } from '../../core/run-store.ts';
import type { Presentation, RunOutcome } from './presentation.ts';

/** Works on a new run, then releases it. A run that fails before it has begun is removed from its store. */
export async function orDiscard(
  run: Pick<OpenRun, 'discard' | 'release'>,
  presentation: Presentation,
  work: (presentation: Presentation) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  let hasBegun = false;
  const begun: Presentation['begun'] = (stored) => {
    hasBegun = true;
    presentation.begun?.(stored);
  };
  try {
    return await work({ ...presentation, begun });
  } catch (error) {
    if (!hasBegun) await Promise.resolve(run.discard?.()).catch(() => undefined);
    throw error;
  } finally {
    await run.release();
  }
}
