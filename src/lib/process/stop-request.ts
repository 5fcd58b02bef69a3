import { setMaxListeners } from 'node:events';

import { onAbort } from '../time/on-abort.ts';
import { punctualTimer } from '../time/punctual-timer.ts';

/** Why a process was ended. */
export type StopCause = 'timeout' | 'aborted' | 'output-limit';

/** Collects the reasons to end a process; the first one counts. */
export interface StopRequest {
  readonly requested: Promise<void>;
  readonly cause: StopCause | undefined;
  readonly failure: { readonly error: unknown } | undefined;
  readonly request: (cause: StopCause) => void;
  /** Ends the process because the caller's own code threw. */
  readonly fail: (error: unknown) => void;
  /** The program ended in time; reading the rest has its own limit. */
  readonly stopTheClock: () => void;
  /** Stops listening and returns the reason; later requests change nothing. */
  readonly close: () => StopCause | undefined;
}

export function stopRequest(signal: AbortSignal, timeoutMs: number | undefined): StopRequest {
  let cause: StopCause | undefined;
  let failure: { readonly error: unknown } | undefined;
  let isClosed = false;
  let resolve = (): void => {};
  const requested = new Promise<void>((done) => {
    resolve = done;
  });
  const request = (reason: StopCause): void => {
    if (!isClosed) cause ??= reason;
    resolve();
  };
  // Many processes may share one signal, which is not a leak.
  setMaxListeners(0, signal);
  const unhear = onAbort(signal, () => request('aborted'));
  const timer =
    timeoutMs === undefined
      ? undefined
      : punctualTimer(Math.min(timeoutMs, LONGEST_TIMER_MS), () => request('timeout'));
  return {
    requested,
    get cause() {
      return cause;
    },
    get failure() {
      return failure;
    },
    request,
    fail: (error) => {
      failure ??= { error };
      request('aborted');
    },
    stopTheClock: () => timer?.stop(),
    close: () => {
      isClosed = true;
      timer?.stop();
      unhear();
      return cause;
    },
  };
}

/** Node fires a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
