import { onAbort } from './on-abort.ts';

/**
 * Settles like `work`, or rejects with the signal's reason as soon as it is aborted; `work` then goes on without an
 * observer.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const unhear = onAbort(signal, () => reject(signal.reason as Error));
    work.finally(unhear).then(resolve, reject);
  });
}
