import { MeasurementError, type LimitMet } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';

/** Bounds one session: time, silence, steps, tokens, money. Every limit ends it through one signal. */
export interface Watch {
  readonly signal: AbortSignal;
  /** Who is being waited for, and is blamed when time runs out. */
  asking(who: 'target' | 'user'): void;
  /** A sign of life. */
  pulse(): void;
  /** What has been reached so far; the first ceiling passed ends the session. */
  reached(steps: number, tokens: number, costUsd: number): void;
  /** Settles like `work`, or rejects as soon as the session is ended. */
  bounded<T>(work: Promise<T>): Promise<T>;
  abort(reason: unknown): void;
  stop(): void;
}

/** Starts watching; `stop` must be called when the session is over. */
export function startWatch(limits: Limits): Watch {
  const controller = new AbortController();
  const { signal } = controller;
  const startedAt = performance.now();
  let who: 'target' | 'user' = 'target';
  let turnTimer: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let lastSign = startedAt;
  let reject: ((reason: unknown) => void) | undefined;

  const abort = (reason: unknown) => {
    if (signal.aborted) return;
    stop();
    controller.abort(reason);
    reject?.(reason);
  };

  const overstepped = (limit: LimitMet, message: string) => {
    const hint = `raise the limit, or switch it off with null`;
    abort(new MeasurementError(message, { stage: who, kind: limit.kind, limit, hint }));
  };

  const timeUp = (ceiling: number, what: string) => {
    const reached = Math.round(performance.now() - startedAt);
    overstepped({ kind: 'timeout', ceiling, reached }, `${what} took longer than ${ceiling} ms`);
  };

  const trialTimer = after(limits.timeoutMs, (ms) => timeUp(ms, 'the session'));

  const checkSilence = (ceiling: number) => {
    const silent = performance.now() - lastSign;
    if (silent < ceiling) {
      idleTimer = setTimeout(() => checkSilence(ceiling), ceiling - silent);
      return;
    }
    const limit = { kind: 'idle-timeout', ceiling, reached: Math.round(silent) } as const;
    overstepped(limit, `no sign of life from the target for ${ceiling} ms`);
  };

  const stop = () => {
    clearTimeout(trialTimer);
    clearTimeout(turnTimer);
    clearTimeout(idleTimer);
  };

  return {
    signal,
    abort,
    stop,
    asking(next) {
      who = next;
      clearTimeout(turnTimer);
      clearTimeout(idleTimer);
      if (next !== 'target') return;
      lastSign = performance.now();
      turnTimer = after(limits.turnTimeoutMs, (ms) => timeUp(ms, 'one turn of the target'));
      idleTimer = after(limits.idleTimeoutMs, checkSilence);
    },
    pulse() {
      lastSign = performance.now();
    },
    reached(steps, tokens, costUsd) {
      if (limits.maxSteps !== null && steps > limits.maxSteps) {
        const limit = { kind: 'max-steps', ceiling: limits.maxSteps, reached: steps } as const;
        overstepped(limit, `the agent started step ${steps}; ${limits.maxSteps} are allowed`);
      } else if (limits.maxTokens !== null && tokens > limits.maxTokens) {
        const limit = { kind: 'token-limit', ceiling: limits.maxTokens, reached: tokens } as const;
        overstepped(limit, `the agent used ${tokens} tokens; ${limits.maxTokens} are allowed`);
      } else if (limits.maxCostUsd !== null && costUsd > limits.maxCostUsd) {
        const limit = { kind: 'budget', ceiling: limits.maxCostUsd, reached: costUsd } as const;
        overstepped(limit, `the agent spent $${costUsd}; $${limits.maxCostUsd} are allowed`);
      }
    },
    bounded(work) {
      return new Promise((resolve, rejectBounded) => {
        if (signal.aborted) {
          work.catch(() => {});
          rejectBounded(signal.reason);
          return;
        }
        reject = rejectBounded;
        work.then(resolve, rejectBounded);
      });
    },
  };
}

function after(ms: number | null, then: (ms: number) => void): NodeJS.Timeout | undefined {
  return ms === null ? undefined : setTimeout(() => then(ms), ms);
}
