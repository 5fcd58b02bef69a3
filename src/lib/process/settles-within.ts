import { punctualTimer } from '../time/punctual-timer.ts';

/** Whether the promise fulfilled in time; never rejects for the time, and leaves no timer. */
export async function settlesWithin(promise: Promise<unknown>, timeMs: number): Promise<boolean> {
  let timer: ReturnType<typeof punctualTimer> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = punctualTimer(timeMs, () => resolve(false));
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    timer?.stop();
  }
}
