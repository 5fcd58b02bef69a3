import { punctualTimer } from './punctual-timer.ts';
import { unlessAborted } from './unless-aborted.ts';

/** How long work may take, and what it ends with when it takes longer. */
export interface TimeLimit {
  readonly ms: number;
  late(): Error;
}

/** Settles like `work`, which is told to stop when the time is over or `signal` is aborted, and is not waited for then. */
export async function withinTime<T>(
  { ms, late }: TimeLimit,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const relay = (): void => over.abort(signal.reason);
  signal.addEventListener('abort', relay, { once: true });
  if (signal.aborted) relay();
  const timer = punctualTimer(ms, () => over.abort(late()));
  try {
    return await unlessAborted(work(over.signal), over.signal);
  } finally {
    timer.stop();
    signal.removeEventListener('abort', relay);
  }
}
