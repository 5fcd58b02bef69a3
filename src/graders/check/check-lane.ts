import { isObject } from '../../lib/json.ts';
import { endFault, lateFault, loadFault, LOAD_MS, threadFault, type ThreadNoun } from './check-faults.ts';
import { keyOf, type CheckRequest } from './check-request.ts';
import type { CheckThread } from './check-thread.ts';

/** A check that was asked for. */
export interface AskedCheck {
  readonly request: CheckRequest<unknown>;
  readonly timeoutMs: number;
  /** For `performance.now()`: since when it waits. */
  readonly since: number;
  /** Whether somebody still waits for its answer. */
  isOpen(): boolean;
  answer(said: unknown): void;
  refuse(error: unknown): void;
}

/** A thread with the checks that it was sent. It runs them one after the other. */
export interface CheckLane {
  readonly size: () => number;
  send(check: AskedCheck): void;
  /** Since when the oldest check behind the running one waits. Infinity without one. */
  waitingSince(): number;
  /** Takes back the checks that wait behind the running one. */
  takeWaiting(): readonly AskedCheck[];
  /** Ends the thread if it runs this check now. */
  drop(check: AskedCheck, reason: unknown): void;
}

export interface LaneEnd {
  readonly noun: ThreadNoun;
  /** Called when a check ends. */
  readonly onFree: () => void;
  /** Called when the thread is gone, with the checks that it was sent and did not begin. */
  readonly onGone: (left: readonly AskedCheck[]) => void;
}

/** `check` is undefined when it was taken back: the thread skips it. */
interface SentCheck {
  check: AskedCheck | undefined;
  readonly key: string;
  readonly timeoutMs: number;
}

export function openLane(worker: CheckThread, { noun, onFree, onGone }: LaneEnd): CheckLane {
  /** The first one runs now. */
  const sent: SentCheck[] = [];
  const loaded = new Set<string>();
  let isOver = false;
  const end = (error?: unknown): void => {
    if (isOver) return;
    isOver = true;
    clock.stop();
    void worker.terminate();
    const [head, ...rest] = sent.splice(0);
    head?.check?.refuse(error);
    onGone(rest.flatMap(({ check }) => check ?? []));
  };
  const clock = headClock(worker, end);
  const attend = (): void => clock.start(sent[0], loaded);
  const hear = (answer: unknown): void => {
    const [head] = sent;
    if (head === undefined || !isObject(answer)) return;
    if (answer['began'] === true) loaded.add(head.key);
    else if (answer['withdrawn'] === true) {
      sent.shift();
      onFree();
    } else if (isObject(answer['said'])) {
      sent.shift();
      head.check?.answer(answer['said']);
      onFree();
    } else return;
    attend();
  };
  /** Undefined: the thread has begun it, or it was taken back before. */
  const takenBack = (each: SentCheck): AskedCheck | undefined => {
    const { check } = each;
    if (check === undefined || worker.withdraw?.(check.request) !== true) return undefined;
    each.check = undefined;
    return check;
  };
  worker
    .on('message', hear)
    .on('error', (error) => end(threadFault(error, worker, noun)))
    .on('exit', (code) => end(endFault(code, worker, noun)));
  attend();
  return {
    size: () => sent.length,
    send(check) {
      sent.push({ check, key: keyOf(check.request.check), timeoutMs: check.timeoutMs });
      if (sent.length === 1) attend();
      worker.postMessage(check.request);
    },
    waitingSince: () => Math.min(...sent.slice(1).map(({ check }) => check?.since ?? Infinity)),
    takeWaiting: () => sent.slice(1).flatMap((each) => takenBack(each) ?? []),
    drop(check, reason) {
      if (sent[0]?.check === check) return end(reason);
      for (const each of sent) if (each.check === check) takenBack(each);
    },
  };
}

/** The time of the first check of a thread. Without one, the thread ends after a while. */
function headClock(worker: CheckThread, end: (error?: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    start(head: SentCheck | undefined, loaded: ReadonlySet<string>): void {
      clearTimeout(timer);
      if (head === undefined) {
        worker.unref();
        timer = setTimeout(end, IDLE_MS).unref();
        return;
      }
      worker.ref();
      const { key, timeoutMs } = head;
      timer = loaded.has(key)
        ? setTimeout(() => end(lateFault(timeoutMs, worker)), timeoutMs)
        : setTimeout(() => end(loadFault(worker)), LOAD_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

const IDLE_MS = 5_000;
