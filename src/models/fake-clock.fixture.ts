import type { Clock } from '../lib/time/clock.ts';

/** A clock that stands until it is moved. */
export interface FakeClock extends Clock {
  /** Moves on, calls back what is due in its order, and lets what waits for it go on. */
  pass(timeMs: number): Promise<void>;
}

export function fakeClock(): FakeClock {
  let now = 0;
  let pending: { at: number; callBack: () => void }[] = [];
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    after(timeMs, callBack) {
      const entry = { at: now + timeMs, callBack };
      pending.push(entry);
      return () => {
        pending = pending.filter((each) => each !== entry);
      };
    },
    async pass(timeMs) {
      const end = now + timeMs;
      await settle();
      for (;;) {
        const [due] = pending.filter(({ at }) => at <= end).sort((left, right) => left.at - right.at);
        if (due === undefined) break;
        pending = pending.filter((each) => each !== due);
        now = Math.max(now, due.at);
        due.callBack();
        await settle();
      }
      now = end;
    },
  };
}
