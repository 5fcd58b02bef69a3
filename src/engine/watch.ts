import { MeasurementError, type LimitMet } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';
import { round9 } from '../lib/text/decimals.ts';
import { punctualTimer } from '../lib/time/punctual-timer.ts';
import { turnClock, type Timer } from './turn-clock.ts';

/** Enforces the limits of one session: time, silence, steps, tokens, cost. Every limit ends it through one signal. */
export interface Watch {
  readonly signal: AbortSignal;
  /** Sets the side that is being waited for, which is blamed for a timeout. */
  asking(who: 'target' | 'user'): void;
  /** Reports a sign of life. */
  pulse(): void;
  /** Reports the usage so far. The first exceeded limit ends the session. */
  reached(spent: Spent): void;
  /** Settles like `work`, or rejects as soon as the session ends. */
  bounded<T>(work: Promise<T>): Promise<T>;
  /**
   * Stops the clocks of turn and silence, and the target's time, until the returned function is called. If the
   * time limit of the session is reached meanwhile, it ends with `because`.
   */
  hold(because?: MeasurementError): () => void;
  /** How long they have been stopped in this turn, in milliseconds. */
  heldMs(): number;
  abort(reason: unknown): void;
  stop(): void;
}

/** The usage of an agent so far. */
export interface Spent {
  readonly steps: number;
  readonly tokens: number;
  readonly costUsd: number;
}

/** Starts to watch. `stop` must be called when the session is over. */
export function startWatch(limits: Limits): Watch {
  const ending = createEnding();
  let who: 'target' | 'user' = 'target';
  const overstepped = ({ limit, message }: Overstep) => {
    const hint = 'raise the limit, or turn it off with null';
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
    // After a hold, the timer continues with the remaining time of the turn.
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

/** Tracks the reasons of holds, for a timeout of the session during a hold. */
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
    return { limit, message: `the agent started step ${steps}, but the limit is ${maxSteps}` };
  }
  if (maxTokens !== null && tokens > maxTokens) {
    const limit = { kind: 'token-limit', ceiling: maxTokens, reached: tokens } as const;
    return { limit, message: `the agent used ${tokens} tokens, but the limit is ${maxTokens}` };
  }
  if (maxCostUsd !== null && round9(costUsd) > round9(maxCostUsd)) {
    const limit = { kind: 'budget', ceiling: maxCostUsd, reached: costUsd } as const;
    return { limit, message: `the agent spent $${costUsd}, but the limit is $${maxCostUsd}` };
  }
  return undefined;
}

/** The single end of a session. The first reason counts, and pending work is released immediately. */
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

/** A longer delay would overflow the timer, which would then fire immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A restartable timer. With null it never fires. */
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

/** Fires after `ceiling` ms without a pulse. A pulse does not restart a timer. */
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
    onSilence({ limit, message: `no activity from the target for ${ceiling} ms` });
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
