import { AssayError } from '../../core/errors.ts';
import type { RunReference, RunStore } from '../../core/run-store.ts';
import { isRunId } from '../../storage/runs/run-id.ts';

/**
 * Finds a run of a store by its id, its first characters, or `latest`, optionally with `#TARGET`. Never by path.
 * Throws `run-not-found`.
 */
export async function calledRun(store: RunStore, reference: string): Promise<RunReference> {
  const meant = await findListed(store, reference);
  await refuseRemoved(meant.run, store);
  return meant;
}

/** A complete id is found without listing all runs. */
async function findListed(store: RunStore, reference: string): Promise<RunReference> {
  if (isRunId(reference)) return { run: store.open(reference) };
  // A path could point to other runs on this machine.
  if (!/[/\\]|^\.+$/.test(reference.replace(/#.*$/s, ''))) {
    const found = await store.find(reference).catch(nothingIfUnknown);
    if (found !== undefined && found.run.reference === found.run.name) return found;
  }
  throw runUnknown(reference);
}

/** What the store says of an unknown run names a folder of this machine. */
function nothingIfUnknown(error: unknown): undefined {
  if (error instanceof AssayError && error.code === 'run-not-found') return undefined;
  throw error;
}

/** Throws `run-not-found` if the run was removed. An unreadable run still exists. */
async function refuseRemoved(run: RunReference['run'], store: RunStore): Promise<void> {
  try {
    await run.head();
  } catch {
    if (!(await store.list()).includes(run.name)) throw runUnknown(run.name);
  }
}

/** The error of a reference to no run of a store. */
export function runUnknown(reference: string): AssayError {
  return new AssayError('run-not-found', `unknown run "${reference}"`, {
    stage: 'plan',
    hint: 'use a run id, its first characters, or latest; the run may have been removed',
  });
}
