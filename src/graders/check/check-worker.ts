import { startOwnWorker } from '../../lib/modules/own-worker.ts';
import { MOST_MEMORY_MB } from './check-faults.ts';
import type { CheckRequest } from './check-request.ts';
import type { CheckEvents, CheckThread } from './check-thread.ts';
import { checkTurns, turnsMemory } from './check-turns.ts';

/** So many checks are sent to a worker thread before it has answered the first one. */
export const AHEAD = 16;

/** A request with its place among those that were sent ahead. */
export interface PlacedRequest {
  readonly request: CheckRequest;
  readonly place: number;
}

/** A worker thread that runs checks one at a time. */
export function startCheckWorker(environment: Readonly<Record<string, string>>): CheckThread {
  const memory = turnsMemory(AHEAD);
  const turns = checkTurns(memory);
  const places = new WeakMap<CheckRequest<unknown>, number>();
  let next = 0;
  const worker = startOwnWorker('graders/check/check-host', memory, {
    env: { ...environment },
    // What checks print is dropped in the thread. It is not read here: that would keep assay alive.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  const thread: CheckThread = {
    on: (event: keyof CheckEvents, listener: CheckEvents[keyof CheckEvents]) => (
      worker.on(event, listener),
      thread
    ),
    postMessage(request) {
      const place = next;
      next = (next + 1) % AHEAD;
      places.set(request, place);
      turns.wait(place);
      worker.postMessage({ request, place });
    },
    withdraw: (request) => turns.withdraw(places.get(request) ?? 0),
    terminate: () => worker.terminate(),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
  };
  return thread;
}
