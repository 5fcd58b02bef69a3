/**
 * Settles like `work`, or rejects with the signal's reason as soon as it is aborted; `work` then goes on without an
 * observer.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abandon = () => reject(signal.reason as Error);
    if (signal.aborted) abandon();
    signal.addEventListener('abort', abandon, { once: true });
    const unhear = () => signal.removeEventListener('abort', abandon);
    work.then(
      (value) => {
        unhear();
        resolve(value);
      },
      (error: unknown) => {
        unhear();
        reject(error);
      },
    );
  });
}
