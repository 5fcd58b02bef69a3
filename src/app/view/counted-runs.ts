import type { RunListings } from '../../core/run-listings.ts';
import type { RunStore, StoredRun } from '../../core/run-store.ts';
import { isUnderWay } from '../../core/run.ts';
import type { JsonValue } from '../../lib/json.ts';
import { countRun, type CountedRun } from './counted-run.ts';
import { keptByVersion } from './kept-by-version.ts';
import { countGrowing } from './growing-run.ts';
import type { ReadableRun } from './run-summary.ts';

/** What runs come to. */
export interface CountedRuns {
  /** Totals of the ended trials, cached until the run changes. */
  counted(run: Pick<ReadableRun, 'id' | 'version'>): Promise<CountedRun>;
  /** Reads what is known of these runs already, so that `counted` need not ask for each. */
  prepare(runs: readonly ReadableRun[]): Promise<void>;
}

const MOST_RUNS = 10_000;

/** Written into the version: what an earlier form of it has counted is counted again. */
const FORM = 1;

/** Counts runs. A store keeps what ended runs come to, so that another process need not read their rows. */
export function countedRuns(
  store: RunStore,
  listings?: Pick<RunListings, 'counted' | 'keepCounted'>,
): CountedRuns {
  const known = new Map<string, { readonly version: string; readonly counted: CountedRun }>();
  const growing = countGrowing();
  const count = async (run: StoredRun, version: string): Promise<CountedRun> => {
    const before = known.get(run.name);
    known.delete(run.name);
    if (before?.version === version) return before.counted;
    if (isUnderWay(await run.state())) return await growing(run);
    const counted = await countRun(run);
    const body = counted as unknown as JsonValue;
    // It is only a cache: without it the run is counted again.
    await listings?.keepCounted(run.name, { version: `${FORM} ${version}`, body }).catch(() => undefined);
    return counted;
  };
  const counted = keptByVersion(MOST_RUNS, count);
  return {
    counted: ({ id, version }) => counted(store.open(id), version),
    async prepare(runs) {
      if (listings === undefined) return;
      const wanted = runs.filter(({ id, version }) => !counted.has(store.open(id), version));
      const kept = await listings.counted(wanted.map(({ id }) => id));
      for (const { id, version } of wanted) {
        const found = kept.get(id);
        if (found?.version !== `${FORM} ${version}`) continue;
        known.set(id, { version, counted: found.body as unknown as CountedRun });
      }
    },
  };
}
