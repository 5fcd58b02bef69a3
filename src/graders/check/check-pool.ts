import { MeasurementError } from '../../core/errors.ts';
import { isObject } from '../../lib/json.ts';
import { startOwnWorker } from '../../lib/modules/own-worker.ts';
import { ScriptError } from '../code-judge-result.ts';
import type { CheckSaid } from './check-answer.ts';
import { keyOf, type CheckRequest } from './check-request.ts';
import type { CheckThread } from './check-thread.ts';
import type { Printed } from './printed-output.ts';
import { waitingLine } from './waiting-line.ts';

export interface CheckLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs checks in threads, each of which serves many checks. */
export interface CheckPool<Said> {
  /** Rejects when the check exceeds its limits or ends its thread, which is then replaced. */
  ask(request: CheckRequest<unknown>, limits: CheckLimits): Promise<Said>;
}

type Environment = Readonly<Record<string, string>>;

/** How a pool starts a thread, and what its messages call it. */
export interface ThreadKind<Said = CheckSaid> {
  /** Only for the compiler: what its threads say of a check. */
  readonly says?: Said;
  readonly start: (environment: Environment) => CheckThread;
  readonly noun: 'thread' | 'process';
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

function createPool(environment: Environment, kind: ThreadKind<unknown>): CheckPool<unknown> {
  const idle: CheckThread[] = [];
  const line = waitingLine();
  return {
    ask: async (request, limits) => {
      await line.room();
      try {
        limits.signal.throwIfAborted();
        const worker = idle.pop() ?? started(kind.start(environment), idle);
        try {
          const said = await answerOf({ worker, noun: kind.noun }, request, limits);
          keep(worker, idle);
          return said;
        } catch (error) {
          void worker.terminate();
          throw error;
        }
      } finally {
        line.leave();
      }
    },
  };
}

const WORKER_THREADS: ThreadKind = { start: startThread, noun: 'thread' };

function startThread(environment: Environment): CheckThread {
  const worker = startOwnWorker('graders/check/check-host', undefined, {
    env: { ...environment },
    // What checks print is dropped in the thread. It is not read here: that would keep assay alive.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  return worker;
}

function started(worker: CheckThread, idle: CheckThread[]): CheckThread {
  const forget = (): void => {
    const place = idle.indexOf(worker);
    if (place !== -1) idle.splice(place, 1);
  };
  // A timer that a check left behind may throw later.
  worker.on('error', forget).on('exit', forget);
  return worker;
}

function keep(worker: CheckThread, idle: CheckThread[]): void {
  idle.push(worker);
  const end = (): void => {
    const place = idle.indexOf(worker);
    if (place === -1) return;
    idle.splice(place, 1);
    void worker.terminate();
  };
  const timer = setTimeout(end, IDLE_MS).unref();
  ends.get(worker)?.();
  ends.set(worker, () => clearTimeout(timer));
}

/** Calls off the end of an idle thread. */
const ends = new WeakMap<CheckThread, () => void>();

/** The keys of the checks that a thread has loaded. */
const loadedBy = new WeakMap<CheckThread, Set<string>>();

function loadedIn(worker: CheckThread): Set<string> {
  const loaded = loadedBy.get(worker) ?? new Set<string>();
  loadedBy.set(worker, loaded);
  return loaded;
}

interface Asked extends Pick<ThreadKind, 'noun'> {
  readonly worker: CheckThread;
}

function answerOf(
  { worker, noun }: Asked,
  request: CheckRequest<unknown>,
  limits: CheckLimits,
): Promise<unknown> {
  const { timeoutMs, signal } = limits;
  const key = keyOf(request.check);
  const loaded = loadedIn(worker);
  worker.ref();
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const settle = (): void => {
      clearTimeout(timer);
      worker.off('message', hear).off('error', fail).off('exit', ended);
      signal.removeEventListener('abort', abort);
      worker.unref();
    };
    const refuse = (error: unknown): void => {
      settle();
      reject(error as Error);
    };
    const late = () =>
      refuse(brokenCheck(`the check took more than ${timeoutMs} ms`, RAISE, worker.printed?.()));
    const hear = (answer: unknown): void => {
      if (!isObject(answer)) return;
      if (answer['began'] === true) {
        loaded.add(key);
        clearTimeout(timer);
        timer = setTimeout(late, timeoutMs);
      } else if (isObject(answer['said'])) {
        settle();
        resolve(answer['said']);
      }
    };
    const fail = (error: NodeJS.ErrnoException): void => refuse(threadFault(error, { worker, noun }));
    const ended = (code: number) => refuse(endFault(code, { worker, noun }));
    const abort = (): void => refuse(signal.reason);
    const slow = () => refuse(brokenCheck(UNLOADED, MOVE, worker.printed?.()));
    timer = loaded.has(key) ? setTimeout(late, timeoutMs) : setTimeout(slow, LOAD_MS);
    worker.on('message', hear).on('error', fail).on('exit', ended);
    signal.addEventListener('abort', abort, { once: true });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(request);
  });
}

function endFault(code: number, { worker, noun }: Asked): MeasurementError {
  if (noun === 'thread')
    return brokenCheck(`the check ended its thread: process.exit(${code})`, 'return the grade instead');
  return brokenCheck(
    `the check ended its process, with exit code ${code}`,
    'return the grade instead',
    worker.printed?.(),
  );
}

function threadFault(error: NodeJS.ErrnoException, { worker, noun }: Asked): MeasurementError {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return brokenCheck(
      `the check used more than ${MOST_MEMORY_MB} MB of memory`,
      'make the check keep less data in memory',
    );
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return brokenCheck(
    `an uncaught error ended the ${noun} of the check: ${words}`,
    'make the check wait for everything that it starts',
    worker.printed?.(),
  );
}

/** With what the check printed, if that is known. */
function brokenCheck(what: string, hint: string, printed?: Printed): MeasurementError {
  if (printed === undefined) return new MeasurementError(what, { stage: 'grading', kind: 'grader', hint });
  return new ScriptError(what, { exitCode: null, signal: null, ...printed }, hint);
}

const RAISE = 'raise `timeout_ms`, or make the check faster';
/** Time limit for a module to load, and for the thread to start. */
const LOAD_MS = 60_000;
const UNLOADED = `the check was not loaded within ${LOAD_MS} ms`;
const MOVE = 'move slow work from the top of the module into the check';
const MOST_MEMORY_MB = 256;
const IDLE_MS = 5_000;
