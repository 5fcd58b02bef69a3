import { MeasurementError, type LimitMet } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';
import { round9 } from '../lib/text/decimals.ts';
import { punctualTimer } from '../lib/time/punctual-timer.ts';
import { turnClock, type Timer } from './turn-clock.ts';

/** Bounds one session: time, silence, steps, tokens, money. Every limit ends it through one signal. */
export interface Watch {
  readonly signal: AbortSignal;
  /** Who is being waited for, and is blamed when time runs out. */
  asking(who: 'target' | 'user'): void;
  /** A sign of life. */
  pulse(): void;
  /** What has been reached so far; the first ceiling passed ends the session. */
  reached(spent: Spent): void;
  /** Settles like `work`, or rejects as soon as the session is ended. */
  bounded<T>(work: Promise<T>): Promise<T>;
  /**
   * Stops the clocks of turn and silence, and what counts as the target's time, until the result is called. When the
   * time of the session is up meanwhile, it ends with `because`.
   */
  hold(because?: MeasurementError): () => void;
  /** How long they have been stopped in this turn, milliseconds. */
  heldMs(): number;
  abort(reason: unknown): void;
  stop(): void;
}

/** What an agent has used up so far. */
export interface Spent {
  readonly steps: number;
  readonly tokens: number;
  readonly costUsd: number;
}

/** Starts watching; `stop` must be called when the session is over. */
export function startWatch(limits: Limits): Watch {
  const ending = createEnding();
  let who: 'target' | 'user' = 'target';
  const overstepped = ({ limit, message }: Overstep) => {
    const hint = 'raise the limit, or switch it off with null';
    ending.end(new MeasurementError(message, { stage: who, kind: limit.kind, limit, hint }));
  };
  const timeUp = (what: string) => (ceiling: number, reached: number) => {
    const message = `${what} took longer than ${ceiling} ms`;
    // Timers may fire up to a millisecond early.
    const limit = { kind: 'timeout', ceiling, reached: Math.max(ceiling, Math.round(reached)) } as const;
    overstepped({ limit, message });
  };
  const session = timer((ceiling, reached) => {
    const because = holds.because();
    if (because === undefined) timeUp('the session')(ceiling, reached);
    else ending.end(because);
  });
  const silence = silenceTimer(overstepped);
  const clock = turnClock({
    // After a hold the timer runs with what was left of the turn.
    turn: timer((leftMs, passedMs) => {
      const ceiling = limits.turnTimeoutMs ?? leftMs;
      timeUp('one turn of the target')(ceiling, ceiling - leftMs + passedMs);
    }),
    turnMs: limits.turnTimeoutMs,
    silence,
    silenceMs: limits.idleTimeoutMs,
  });
  const holds = withReasons(clock.hold);
  ending.finally(() => {
    session.stop();
    clock.stop();
  });
  session.start(limits.timeoutMs);
  return {
    signal: ending.signal,
    abort: ending.end,
    stop: ending.stop,
    bounded: ending.bounded,
    pulse: silence.pulse,
    hold: holds.hold,
    heldMs: clock.heldMs,
    asking(next) {
      who = next;
      clock.stop();
      if (next === 'target' && !ending.signal.aborted) clock.start();
    },
    reached(spent) {
      const overstep = overstepOf(spent, limits);
      if (overstep !== undefined) overstepped(overstep);
    },
  };
}

/** Holds that may say why: what is known already when the time of the session is up. */
function withReasons(hold: () => () => void) {
  const reasons = new Set<MeasurementError>();
  return {
    because: () => [...reasons].at(0),
    hold(because?: MeasurementError) {
      const goOn = hold();
      if (because !== undefined) reasons.add(because);
      return () => {
        if (because !== undefined) reasons.delete(because);
        goOn();
      };
    },
  };
}

interface Overstep {
  readonly limit: LimitMet;
  readonly message: string;
}

function overstepOf({ steps, tokens, costUsd }: Spent, limits: Limits): Overstep | undefined {
  const { maxSteps, maxTokens, maxCostUsd } = limits;
  if (maxSteps !== null && steps > maxSteps) {
    const limit = { kind: 'max-steps', ceiling: maxSteps, reached: steps } as const;
    return { limit, message: `the agent started step ${steps}; ${maxSteps} are allowed` };
  }
  if (maxTokens !== null && tokens > maxTokens) {
    const limit = { kind: 'token-limit', ceiling: maxTokens, reached: tokens } as const;
    return { limit, message: `the agent used ${tokens} tokens; ${maxTokens} are allowed` };
  }
  if (maxCostUsd !== null && round9(costUsd) > round9(maxCostUsd)) {
    const limit = { kind: 'budget', ceiling: maxCostUsd, reached: costUsd } as const;
    return { limit, message: `the agent spent $${costUsd}; $${maxCostUsd} are allowed` };
  }
  return undefined;
}

/** The one end of a session: whoever comes first gives the reason, and waiting work is let go at once. */
function createEnding() {
  const controller = new AbortController();
  const { signal } = controller;
  let letGo: ((reason: unknown) => void) | undefined;
  let stop = () => {};
  return {
    signal,
    stop: () => stop(),
    finally(cleanUp: () => void) {
      stop = cleanUp;
    },
    end(reason: unknown) {
      if (signal.aborted) return;
      stop();
      controller.abort(reason);
      letGo?.(reason);
    },
    bounded<T>(work: Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        letGo = reject;
        work.then(resolve, reject);
        if (signal.aborted) reject(signal.reason);
      });
    },
  };
}

/** A longer wait would overflow the timer, which then fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A timer that can be started again; null never fires. */
function timer(onTime: (ceiling: number, reached: number) => void): Timer {
  let running: ReturnType<typeof punctualTimer> | undefined;
  return {
    start(ceiling: number | null) {
      if (ceiling === null || ceiling > LONGEST_TIMER_MS) return;
      const startedAt = performance.now();
      running = punctualTimer(ceiling, () => onTime(ceiling, performance.now() - startedAt));
    },
    stop: () => running?.stop(),
  };
}

/** Fires after `ceiling` ms without a pulse; a pulse costs no timer. */
function silenceTimer(onSilence: (overstep: Overstep) => void) {
  let running: ReturnType<typeof punctualTimer> | undefined;
  let lastSign = 0;
  const check = (ceiling: number) => {
    const silent = performance.now() - lastSign;
    if (silent < ceiling) {
      running = punctualTimer(ceiling - silent, () => check(ceiling));
      return;
    }
    const limit = { kind: 'idle-timeout', ceiling, reached: Math.round(silent) } as const;
    onSilence({ limit, message: `no sign of life from the target for ${ceiling} ms` });
  };
  return {
    start(ceiling: number | null) {
      lastSign = performance.now();
      if (ceiling !== null && ceiling <= LONGEST_TIMER_MS)
        running = punctualTimer(ceiling, () => check(ceiling));
    },
    pulse() {
      lastSign = performance.now();
    },
    stop: () => running?.stop(),
  };
}
