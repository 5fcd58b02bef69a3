import { setTimeout as wait } from 'node:timers/promises';

import type { StoredRun } from '../core/run-store.ts';
import { isUnderWay, type RunEvent } from '../core/run.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import { isOfRun } from './failure.ts';
import type { Handlers } from './operation.ts';
import { Refusal } from './refusal.ts';
import { HEARTBEAT_MS, POLL_MS, serverEvents, type ServerEvent } from './server-events.ts';

/** The log of a run, as pages and as a feed that continues while the run is written. */
export function eventHandlers(runs: RunSummaries): Pick<Handlers, 'listEvents'> {
  return {
    listEvents: async ({ path, query, request, signal }) => {
      const run = await runs.run(path.run);
      if (request.headers.get('accept')?.includes('text/event-stream') === true) {
        return serverEvents(followed(run, lastSeen(request) ?? query.after, signal));
      }
      const data: RunEvent[] = [];
      for await (const event of run.events(query.after)) {
        if (data.length === query.limit) return { data, next_cursor: String(data.at(-1)?.sequence) };
        data.push(event);
      }
      return { data, next_cursor: null };
    },
  };
}

/** What a client that continues a feed has seen. A browser sends an empty header where it has seen nothing. */
function lastSeen({ headers }: Request): number | undefined {
  const written = headers.get('last-event-id')?.trim() ?? '';
  if (written === '') return undefined;
  const last = Number(written);
  if (/^\d+$/.test(written) && Number.isSafeInteger(last)) return last;
  throw new Refusal(400, {
    code: 'invalid-parameter',
    message: `Last-Event-ID: expected the number of an event, got ${JSON.stringify(written)}`,
    param: 'Last-Event-ID',
    hint: 'send the last `id` that you received; without the header the feed starts at the first event',
  });
}

/** The events until the run has ended, was removed or cannot be read: asked again, it says why. */
async function* followed(run: StoredRun, after: number, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  try {
    yield* following(run, after, signal);
  } catch (error) {
    if (!isOfRun(error)) throw error;
  }
}

/** Stored events after `after`, then new ones until the run ends. */
async function* following(run: StoredRun, after: number, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  let last = after;
  let quietMs = 0;
  while (!signal.aborted) {
    const before = last;
    const isOver = !isUnderWay(await run.state());
    for await (const event of run.events(last)) {
      last = event.sequence;
      yield { id: last, event: event.fact.type, data: event };
    }
    if (isOver) return;
    quietMs = last === before ? quietMs + POLL_MS : 0;
    if (quietMs >= HEARTBEAT_MS) {
      quietMs = 0;
      yield undefined;
    }
    await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
