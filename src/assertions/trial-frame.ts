import { AsyncLocalStorage } from 'node:async_hooks';

import type { FailureClass } from '../core/code-suite.ts';
import type { Grade } from '../core/grade.ts';
import type { SessionReport } from '../core/session-report.ts';

/** What one run of an assert hook collects. Its form is shared by all copies of this package in a process. */
export interface TrialFrame {
  readonly report: SessionReport;
  readonly softFailures: unknown[];
  /** Work that was started and may not be awaited; none of it rejects. */
  readonly pending: Set<Promise<void>>;
  /** What was rejected and awaited by nobody. */
  readonly lost: unknown[];
  /** Set once the hook has ended: takes what is rejected from then on. */
  late: ((reason: unknown) => void) | undefined;
  readonly grades: Grade[];
  /** Gives a grade for an entry as YAML writes it. */
  readonly grade?: ((entry: unknown) => Promise<Grade>) | undefined;
}

/** Where code of a suite runs. */
interface Inside {
  readonly frame: TrialFrame;
  readonly failureClass?: FailureClass | undefined;
}

interface Shared {
  readonly storage: AsyncLocalStorage<Inside>;
}

/** Suites may load another copy of this package than the program that runs them. */
const SHARED = Symbol.for('assay.trial-frames');

function shared(): Shared {
  const place = globalThis as { [SHARED]?: Shared };
  return (place[SHARED] ??= { storage: new AsyncLocalStorage() });
}

/** The frame of the hook that is running, if any. */
export function currentFrame(): TrialFrame | undefined {
  return shared().storage.getStore()?.frame;
}

/** The class of the innermost `classify` around what is running. */
export function currentClass(): FailureClass | undefined {
  return shared().storage.getStore()?.failureClass;
}

export function inFrame<T>(frame: TrialFrame, work: () => T): T {
  return shared().storage.run({ frame }, work);
}

/** Runs work whose failures are of a class. */
export function inClass<T>(failureClass: FailureClass, work: () => T): T {
  const { storage } = shared();
  const inside = storage.getStore();
  return inside === undefined ? work() : storage.run({ ...inside, failureClass }, work);
}

const CLASS = Symbol.for('assay.failure-class');

/** The class that was put on an error. */
export function classOf(error: unknown): FailureClass | undefined {
  return typeof error === 'object' && error !== null
    ? (error as { [CLASS]?: FailureClass })[CLASS]
    : undefined;
}

/** Puts a class on an error, unless an inner one is there. */
export function putClass(error: unknown, failureClass: FailureClass): void {
  if (typeof error !== 'object' || error === null || classOf(error) !== undefined) return;
  if (!Object.isExtensible(error)) return;
  Object.defineProperty(error, CLASS, { value: failureClass });
}
