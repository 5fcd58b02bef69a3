/** The time of one hook; it stands still while another hook keeps the thread busy, as far as that one is known. */
export interface HookClock {
  /** Runs the hook up to its first wait: so long it is this hook that keeps the thread busy. */
  begin<T>(hook: () => T): T;
  /** The hook has just come to its end: if the thread was busy until now, then with this hook. */
  end(): void;
  passedMs(): number;
  stop(): void;
}

/** Who is busy in the middle, between two waits, is not known; it then counts for every hook that is under way. */
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

/** Longer than this without a look at the clock, somebody has kept the thread busy. */
const BUSY_MS = 100;
const TICK_MS = 25;

let running = 0;
/** Of all hooks so far. */
let busyMs = 0;
/** When the thread was last seen to take turns. */
let aliveAt = 0;
let ticking: NodeJS.Timeout | undefined;

function begin(now: number): void {
  aliveAt = now;
  ticking = setInterval(() => (aliveAt = performance.now()), TICK_MS).unref();
}
