import { setTimeout as wait } from 'node:timers/promises';

import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { Handlers } from './operation.ts';
import { watchRun, type RunWatch, type WatchOptions } from './run-watch.ts';
import { HEARTBEAT_MS, serverEvents, type ServerEvent } from './server-events.ts';

/** Pause between messages about a run: at most two a second. */
const PAUSE_MS = 500;

/** Number of newest runs that the feed watches. An older run needs a feed of its own. */
const NEWEST = 200;

/** A feed of all runs, or of one run with its trials. */
export function feedHandlers(runs: RunSummaries): Pick<Handlers, 'followRuns'> {
  return {
    followRuns: async ({ query, signal }) => {
      if (query.run === undefined) {
        const newest = async () => (await runs.ids()).slice(0, NEWEST);
        const options = { tells: 'when-it-runs-or-changes', trials: 'counted-only' } as const;
        return serverEvents(changes(newest, (id) => watchRun(id, runs, options), signal));
      }
      const { name } = await runs.run(query.run);
      const options: WatchOptions = { tells: 'at-once', trials: 'told' };
      return serverEvents(
        changes(
          async () => [name],
          (id) => watchRun(id, runs, options),
          signal,
        ),
      );
    },
  };
}

async function* changes(
  ids: () => Promise<readonly string[]>,
  watchOf: (id: string) => RunWatch,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const watched = new Map<string, RunWatch>();
  let quietMs = 0;
  while (!signal.aborted) {
    let isQuiet = true;
    for (const id of await ids()) {
      const watch = watched.get(id) ?? watchOf(id);
      watched.set(id, watch);
      for (const change of await watch.news()) {
        isQuiet = false;
        yield change;
      }
    }
    quietMs = isQuiet ? quietMs + PAUSE_MS : 0;
    if (quietMs >= HEARTBEAT_MS) {
      quietMs = 0;
      yield undefined;
    }
    await wait(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}
