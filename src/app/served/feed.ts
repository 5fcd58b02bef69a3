import { addressOf } from '../../api/client.ts';
import { isUnderWay, type RunEvent } from '../../core/run.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { AssayError } from '../../core/errors.ts';
import { pause } from '../../lib/time/clock.ts';
import type { ServerApi } from './server-api.ts';

/** The feed of a run. */
export interface FeedRequest {
  readonly run: StoredRun;
  /** Sequence of the last event that is known. */
  readonly after: number;
  /** When aborted: reads no further. */
  readonly signal: AbortSignal;
}

/** Attempts to reach the server again, and to find an interrupted run continued, one a second. */
const MOST_ATTEMPTS = 30;

/** The events of a run until it has ended, also over a restart of its server. Throws `server-unreachable`. */
export async function* followFeed(
  { run, after, signal }: FeedRequest,
  api: ServerApi,
): AsyncGenerator<RunEvent> {
  let last = after;
  let attempts = 0;
  let waits = 0;
  while (!signal.aborted) {
    try {
      for await (const event of feedOf(run.name, last, { api, signal })) {
        last = event.sequence;
        [attempts, waits] = [0, 0];
        yield event;
      }
      const state = await run.state();
      if (isUnderWay(state)) throw lostFeed(api.url);
      // A server that was restarted with --resume continues its runs one after the other.
      if (state !== 'interrupted' || (waits += 1) > MOST_ATTEMPTS) return;
      await pause(1000, signal).catch(() => undefined);
    } catch (error) {
      if (signal.aborted) return;
      if (!isLost(error) || (attempts += 1) > MOST_ATTEMPTS) throw error;
      await pause(1000, signal).catch(() => undefined);
    }
  }
}

interface Asking {
  readonly api: ServerApi;
  readonly signal: AbortSignal;
}

async function* feedOf(id: string, after: number, { api, signal }: Asking): AsyncGenerator<RunEvent> {
  const address = addressOf('/runs/{run}/events', { path: { run: id }, query: { after } });
  const lines = api.lines(address, { headers: { accept: 'text/event-stream' }, signal });
  try {
    for await (const line of lines) {
      if (line.startsWith('data: ')) yield JSON.parse(line.slice('data: '.length)) as RunEvent;
    }
  } catch (error) {
    if (error instanceof TypeError) throw lostFeed(api.url);
    throw error;
  }
}

function isLost(error: unknown): boolean {
  return error instanceof AssayError && error.code === 'server-unreachable';
}

function lostFeed(url: string): AssayError {
  return new AssayError(
    'server-unreachable',
    `the server at ${url} closed the connection while the run was still in progress`,
    {
      stage: 'plan',
      hint: 'check that `assay serve` is running; `assay show --stored RUN` shows the run',
    },
  );
}
