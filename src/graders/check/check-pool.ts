import { availableParallelism } from 'node:os';

import type { CheckSaid } from './check-answer.ts';
import type { ThreadNoun } from './check-faults.ts';
import { openLane, type AskedCheck, type CheckLane } from './check-lane.ts';
import type { CheckRequest } from './check-request.ts';
import type { CheckThread } from './check-thread.ts';
import { AHEAD, startCheckWorker } from './check-worker.ts';

export interface CheckLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs checks in threads, each of which serves many checks. */
export interface CheckPool<Said> {
  /** Rejects when the check exceeds its limits or ends its thread, which is then replaced. */
  ask(request: CheckRequest<unknown>, limits: CheckLimits): Promise<Said>;
  /** Starts the first thread before there is something to ask. */
  prepare(): void;
}

type Environment = Readonly<Record<string, string>>;

/** How a pool starts a thread, and what its messages call it. */
export interface ThreadKind<Said = CheckSaid> {
  /** Only for the compiler: what its threads say of a check. */
  readonly says?: Said;
  readonly start: (environment: Environment) => CheckThread;
  readonly noun: ThreadNoun;
  /** So many checks are sent to a thread before it has answered the first one. Default: 1. */
  readonly ahead?: number;
}

const pools = new Map<ThreadKind<unknown>, WeakMap<object, CheckPool<unknown>>>();

/** The pool of an environment, whose variables its checks see. Idle threads end by themselves. */
export function checkPool(environment: Environment): CheckPool<CheckSaid>;
export function checkPool<Said>(environment: Environment, kind: ThreadKind<Said>): CheckPool<Said>;
export function checkPool(
  environment: Environment,
  kind: ThreadKind<unknown> = WORKER_THREADS,
): CheckPool<unknown> {
  const ofKind = pools.get(kind) ?? new WeakMap<object, CheckPool<unknown>>();
  pools.set(kind, ofKind);
  const pool = ofKind.get(environment) ?? createPool(environment, kind);
  ofKind.set(environment, pool);
  return pool;
}

/**
 * Begins with one thread. To start a thread costs more than hundreds of short checks, so another one is started only
 * when a check has waited for long. To wake a thread costs more than a short check, so it is sent several at once.
 */
function createPool(environment: Environment, kind: ThreadKind<unknown>): CheckPool<unknown> {
  const { start, noun, ahead = 1 } = kind;
  const lanes = new Set<CheckLane>();
  const waiting: AskedCheck[] = [];
  let most = 1;
  /** For `performance.now()`: when the first thread had started and answered. */
  let answersSince: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const open = (): CheckLane => {
    const lane: CheckLane = openLane(start(environment), {
      noun,
      onFree: () => {
        answersSince ??= performance.now();
        give();
      },
      onGone: (left) => {
        lanes.delete(lane);
        waiting.unshift(...left);
        give();
      },
    });
    lanes.add(lane);
    return lane;
  };
  const give = (): void => {
    while (waiting.length > 0) {
      const [least] = [...lanes].toSorted((a, b) => a.size() - b.size());
      const isFull = least === undefined || least.size() >= (lanes.size < most ? 1 : ahead);
      if (isFull && lanes.size >= most) break;
      const lane = isFull ? open() : least;
      const next = waiting.shift();
      if (next?.isOpen() === true) lane.send(next);
    }
    const isBehind = waiting.length > 0 || [...lanes].some((lane) => lane.size() > 1);
    if (most < MOST_THREADS && isBehind) timer ??= setTimeout(look, PATIENCE_MS / 2).unref();
  };
  /** The first thread may still be starting, which takes long on a busy machine: then waiting says nothing. */
  const look = (): void => {
    timer = undefined;
    const sinces = [...[...lanes].map((lane) => lane.waitingSince()), ...waiting.map(({ since }) => since)];
    const longest = performance.now() - Math.max(answersSince ?? 0, Math.min(...sinces));
    if (longest >= (answersSince === undefined ? START_MS : PATIENCE_MS)) {
      most += 1;
      const behind = [...[...lanes].flatMap((lane) => lane.takeWaiting()), ...waiting.splice(0)];
      waiting.push(...behind.toSorted((a, b) => a.since - b.since));
    }
    give();
  };
  return {
    ask: (request, limits) =>
      new Promise((resolve, reject) => {
        limits.signal.throwIfAborted();
        const check = askedCheck({ request, ...limits, resolve, reject }, (reason) => {
          for (const lane of lanes) lane.drop(check, reason);
        });
        waiting.push(check);
        give();
      }),
    prepare: () => void (lanes.size === 0 && open()),
  };
}

interface Asking extends CheckLimits {
  readonly request: CheckRequest<unknown>;
  resolve(said: unknown): void;
  reject(error: unknown): void;
}

/** It is settled once. `onAbort` is called if that is because its signal was aborted. */
function askedCheck(
  { request, timeoutMs, signal, resolve, reject }: Asking,
  onAbort: (reason: unknown) => void,
): AskedCheck {
  let isOpen = true;
  const settle = (): void => {
    isOpen = false;
    signal.removeEventListener('abort', abort);
  };
  const check: AskedCheck = {
    request,
    timeoutMs,
    since: performance.now(),
    isOpen: () => isOpen,
    answer: (said) => (settle(), resolve(said)),
    refuse: (error) => (settle(), reject(error)),
  };
  const abort = (): void => {
    check.refuse(signal.reason);
    onAbort(signal.reason);
  };
  signal.addEventListener('abort', abort, { once: true });
  return check;
}

const PATIENCE_MS = 250;
const START_MS = 2_000;
const MOST_THREADS = Math.max(1, Math.min(4, availableParallelism()));

const WORKER_THREADS: ThreadKind = { start: startCheckWorker, noun: 'thread', ahead: AHEAD };
