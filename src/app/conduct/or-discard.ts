import type { OpenRun } from '../../core/run-store.ts';
import type { RunOutcome, RunSite } from './run-site.ts';

/** Works on a new run, then releases it. A run that fails before it has begun is removed from its store. */
export async function orDiscard(
  run: Pick<OpenRun, 'discard' | 'release'>,
  site: RunSite,
  work: (site: RunSite) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  let hasBegun = false;
  const begun: RunSite['begun'] = (stored) => {
    hasBegun = true;
    site.begun?.(stored);
  };
  try {
    return await work({ ...site, begun });
  } catch (error) {
    if (!hasBegun) await Promise.resolve(run.discard?.()).catch(() => undefined);
    throw error;
  } finally {
    await run.release();
  }
}
