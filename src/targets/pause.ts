/** Resolves after the time; rejects with the signal's reason as soon as it is aborted. */
export function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, timeMs);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
