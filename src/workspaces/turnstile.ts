/** Lets one in at a time, in the order in which they came; the result lets the next one in. */
export function turnstile(): (signal: AbortSignal) => Promise<() => void> {
  let last: Promise<void> = Promise.resolve();
  return async (signal) => {
    const before = last;
    let leave = (): void => {};
    const gone = new Promise<void>((resolve) => {
      leave = resolve;
    });
    last = before.then(() => gone);
    const aborted = new Promise<never>((_, reject) => {
      const abort = (): void => reject(signal.reason as Error);
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
    aborted.catch(() => {});
    try {
      await Promise.race([before, aborted]);
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  };
}
