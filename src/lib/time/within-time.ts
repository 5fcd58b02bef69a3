import { onAbort } from './on-abort.ts';
import { punctualTimer } from './punctual-timer.ts';
import { unlessAborted } from './unless-aborted.ts';

/** A time limit for work, and the error when it is exceeded. */
export interface TimeLimit {
  readonly ms: number;
  late(): Error;
}

/**
 * Settles like `work`. When the time is over or `signal` is aborted, `work` is aborted and not awaited any more.
 */
export async function withinTime<T>(
  { ms, late }: TimeLimit,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const unhear = onAbort(signal, () => over.abort(signal.reason));
  const timer = punctualTimer(ms, () => over.abort(late()));
  try {
    return await unlessAborted(work(over.signal), over.signal);
  } finally {
    timer.stop();
    unhear();
  }
}
