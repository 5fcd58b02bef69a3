import type { StoredRun } from '../../core/run-store.ts';

export interface KeptByVersion<Made> {
  /** `known`: the version as just read. */
  (run: StoredRun, known?: string): Promise<Made>;
  /** Whether the result for this version is held. */
  has(run: StoredRun, version: string): boolean;
}

/**
 * Caches the result of `make` for the last requested runs, each until the run changes. Concurrent requests
 * share one computation. A failed one is repeated.
 */
export function keptByVersion<Made>(
  most: number,
  make: (run: StoredRun, version: string) => Promise<Made>,
): KeptByVersion<Made> {
  const kept = new Map<string, { readonly version: string; readonly made: Promise<Made> }>();
  const of = async (run: StoredRun, known?: string) => {
    const version = known ?? (await run.version());
    const before = kept.get(run.place);
    kept.delete(run.place);
    const made = before?.version === version ? before.made : make(run, version);
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
  return Object.assign(of, {
    has: (run: StoredRun, version: string) => kept.get(run.place)?.version === version,
  });
}
