import { unlessAborted } from './unless-aborted.ts';

/** Lets one caller in at a time, in order of arrival; the returned function lets the next one in. */
export function turnstile(): (signal: AbortSignal) => Promise<() => void> {
  let last: Promise<void> = Promise.resolve();
  return async (signal) => {
    const before = last;
    let leave = (): void => {};
    const gone = new Promise<void>((resolve) => {
      leave = resolve;
    });
    last = before.then(() => gone);
    try {
      await unlessAborted(before, signal);
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  };
}
