import { AssayError } from '../../core/errors.ts';
import type { RunStore } from '../../core/run-store.ts';
import { openRuns } from '../runs.ts';
import type { ServerPlace } from '../server-client.ts';
import { storePlace } from '../store-place.ts';
import type { Surroundings } from '../surroundings.ts';
import { remoteRuns } from './remote-runs.ts';
import { serverApi } from './server-api.ts';

/** The server that must continue a run. Undefined: this process can do so, or no process has the run. */
export async function serverOfRun(
  reference: string,
  out: string | undefined,
  surroundings: Surroundings,
): Promise<ServerPlace | undefined> {
  const place = await storePlace(surroundings);
  if (!('server' in place)) return undefined;
  if (surroundings.prefers !== 'store' && (await isInFiles(reference, out, surroundings))) return undefined;
  const isServed = await hasRun(remoteRuns(serverApi(place.server), '.'), reference);
  return isServed ? place.server : undefined;
}

/** `latest` is a run directory, unless the store is asked first. */
async function isInFiles(
  reference: string,
  out: string | undefined,
  surroundings: Surroundings,
): Promise<boolean> {
  if (reference.split('#')[0] === 'latest') return true;
  const { store: _, ...around } = surroundings;
  return await hasRun(await openRuns(out, around), reference);
}

async function hasRun(runs: Pick<RunStore, 'find'>, reference: string): Promise<boolean> {
  try {
    await runs.find(reference);
    return true;
  } catch (error) {
    if (error instanceof AssayError && error.code === 'run-not-found') return false;
    throw error;
  }
}
