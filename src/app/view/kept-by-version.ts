import type { StoredRun } from '../../core/run-store.ts';

/**
 * Caches the result of `make` for the last requested runs, each until the run changes. Concurrent requests
 * share one computation. A failed one is repeated.
 */
export function keptByVersion<Made>(
  most: number,
  make: (run: StoredRun) => Promise<Made>,
): (run: StoredRun) => Promise<Made> {
  const kept = new Map<string, { readonly version: string; readonly made: Promise<Made> }>();
  return async (run) => {
    const version = await run.version();
    const before = kept.get(run.place);
    kept.delete(run.place);
    const made = before?.version === version ? before.made : make(run);
    const entry = { version, made };
    kept.set(run.place, entry);
    for (const place of kept.keys()) {
      if (kept.size <= most) break;
      kept.delete(place);
    }
    made.catch(() => {
      if (kept.get(run.place) === entry) kept.delete(run.place);
    });
    return made;
  };
}
