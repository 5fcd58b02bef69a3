import { setMaxListeners } from 'node:events';

/** A signal that aborts when one of two does. Every running trial listens to it. */
export function eitherSignal(first: AbortSignal, second: AbortSignal): AbortSignal {
  const either = new AbortController();
  setMaxListeners(0, either.signal);
  for (const signal of [first, second]) {
    if (signal.aborted) either.abort(signal.reason);
    else signal.addEventListener('abort', () => either.abort(signal.reason), { once: true });
  }
  return either.signal;
}

/** The same of signals that may be absent. */
export function eitherOf(
  first: AbortSignal | undefined,
  second: AbortSignal | undefined,
): AbortSignal | undefined {
  return first === undefined || second === undefined ? (first ?? second) : eitherSignal(first, second);
}
