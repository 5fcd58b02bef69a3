import { setTimeout as wait } from 'node:timers/promises';

import type { RunSummaries } from '../app/view/run-summaries.ts';
import { unlessAborted } from '../lib/time/unless-aborted.ts';

/** Pause between two looks at all runs: at most two messages a second about a run. */
const PAUSE_MS = 500;

/** Number of newest runs that are watched. An older run needs a feed of its own. */
const NEWEST = 200;

/** Versions of runs by id, newest first; each begins with the state of its run. */
export type Versions = ReadonlyMap<string, string>;

/** Looks at runs for all feeds of a server together, and only while there are feeds. */
export interface RunPoller {
  /** The versions now, and then twice a second. `run`: absent: the newest runs. */
  follow(run: string | undefined, signal: AbortSignal): AsyncGenerator<Versions>;
}

export function runPoller(runs: Pick<RunSummaries, 'versions'>, pauseMs = PAUSE_MS): RunPoller {
  /** How many feeds want each of these; undefined: the newest runs. */
  const wanted = new Map<string | undefined, number>();
  const look = shared(() => {
    const named = [...wanted.keys()].filter((run) => run !== undefined);
    return runs.versions(wanted.has(undefined) ? NEWEST : 0, named);
  });
  const lookLater = shared(async () => {
    await wait(pauseMs);
    return await look();
  });
  return {
    async *follow(run, signal) {
      wanted.set(run, (wanted.get(run) ?? 0) + 1);
      try {
        // A look that began before this feed may not have its run.
        let versions: Versions = await runs.versions(
          run === undefined ? NEWEST : 0,
          run === undefined ? [] : [run],
        );
        while (!signal.aborted) {
          yield versions;
          versions = await unlessAborted(lookLater(), signal);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        const rest = (wanted.get(run) ?? 1) - 1;
        if (rest > 0) wanted.set(run, rest);
        else wanted.delete(run);
      }
    },
  };
}

/** Those who ask while it is being made get the same. */
function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | undefined;
  return () => (making ??= make().finally(() => (making = undefined)));
}
