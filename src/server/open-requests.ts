import type { MiddlewareHandler } from 'hono';

import { serverStopping } from '../app/server-stopping.ts';
import { settlesWithin } from '../lib/process/settles-within.ts';
import { failureResponse } from './failure.ts';

/** The requests that are being answered. */
export interface OpenRequests {
  /** Counts each request until its answer begins. */
  readonly counted: MiddlewareHandler;
  /** Refuses further requests: `server-stopping`. */
  stop(): void;
  /** Resolves when every request has its answer, or when the time is over. */
  settled(timeMs: number): Promise<void>;
}

export function openRequests(): OpenRequests {
  const open = new Set<Promise<void>>();
  let isStopping = false;
  return {
    counted: async (_, next) => {
      if (isStopping) return refused();
      const answered = next().finally(() => open.delete(answered));
      open.add(answered);
      await answered;
      return undefined;
    },
    stop() {
      isStopping = true;
    },
    async settled(timeMs) {
      await settlesWithin(Promise.allSettled(open), timeMs);
    },
  };
}

/** The connection ends with it. */
function refused(): Response {
  const response = failureResponse(serverStopping(), { onFault: () => undefined, asked: new Headers() });
  response.headers.set('Connection', 'close');
  return response;
}
