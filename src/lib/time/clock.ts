/** Time as a parameter, so that limits and waits can be tested without waiting. */
export interface Clock {
  /** Milliseconds; only differences are meaningful. */
  now(): number;
  /** Calls back once after the time; the returned function cancels it. */
  after(timeMs: number, callBack: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(timeMs, callBack) {
    const timer = setTimeout(callBack, timeMs);
    return () => clearTimeout(timer);
  },
};

/** Resolves after the time; rejects with the signal's reason as soon as it is aborted. */
export function pause(timeMs: number, signal: AbortSignal, clock: Clock = systemClock): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      callOff();
      reject(signal.reason);
    };
    const callOff = clock.after(timeMs, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
