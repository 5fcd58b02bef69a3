/** The running time of one hook. It stops while another hook is known to block the thread. */
export interface HookClock {
  /** Runs the hook up to its first wait; this time counts for this hook. */
  begin<T>(hook: () => T): T;
  /** Called when the hook has ended: blocked time until now counts for this hook. */
  end(): void;
  passedMs(): number;
  stop(): void;
}

/** Between two waits it is unknown which hook blocks the thread; such time counts for every running hook. */
export function startHookClock(): HookClock {
  const startedAt = performance.now();
  const othersBefore = busyMs;
  let ownMs = 0;
  if (running++ === 0) begin(startedAt);
  const claim = (since: number): void => {
    const now = performance.now();
    ownMs += now - since;
    busyMs += now - since;
    aliveAt = now;
  };
  return {
    begin(hook) {
      const since = performance.now();
      try {
        return hook();
      } finally {
        claim(since);
      }
    },
    end() {
      if (performance.now() - aliveAt > BUSY_MS) claim(aliveAt);
    },
    passedMs: () => performance.now() - startedAt - (busyMs - othersBefore - ownMs),
    stop() {
      if (--running === 0) clearInterval(ticking);
    },
  };
}

/** The thread counts as blocked after this long without a look at the clock. */
const BUSY_MS = 100;
const TICK_MS = 25;

let running = 0;
let busyMs = 0;
/** When the thread was last known to be free. */
let aliveAt = 0;
let ticking: NodeJS.Timeout | undefined;

function begin(now: number): void {
  aliveAt = now;
  ticking = setInterval(() => (aliveAt = performance.now()), TICK_MS).unref();
}
