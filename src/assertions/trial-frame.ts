import { AsyncLocalStorage } from 'node:async_hooks';

import type { FailureClass } from '../core/code-suite.ts';
import type { Grade } from '../core/grade.ts';
import type { SessionReport } from '../core/session-report.ts';

/** The data that one run of an assert hook collects. All copies of this package in a process share its form. */
export interface TrialFrame {
  readonly report: SessionReport;
  readonly softFailures: unknown[];
  /** Work that was started and may not be awaited; its promises never reject. */
  readonly pending: Set<Promise<void>>;
  /** Unhandled rejections. */
  readonly lost: unknown[];
  /** Set after the hook has ended: takes rejections from then on. */
  late: ((reason: unknown) => void) | undefined;
  readonly grades: Grade[];
  /** Grades an entry in the format of YAML. */
  readonly grade?: ((entry: unknown) => Promise<Grade>) | undefined;
}

/** The place in which code of a suite runs. */
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

/** The class of the innermost `classify` around the running code. */
export function currentClass(): FailureClass | undefined {
  return shared().storage.getStore()?.failureClass;
}

export function inFrame<T>(frame: TrialFrame, work: () => T): T {
  return shared().storage.run({ frame }, work);
}

/** Runs work whose failures belong to a class. */
export function inClass<T>(failureClass: FailureClass, work: () => T): T {
  const { storage } = shared();
  const inside = storage.getStore();
  return inside === undefined ? work() : storage.run({ ...inside, failureClass }, work);
}

const CLASS = Symbol.for('assay.failure-class');

export function classOf(error: unknown): FailureClass | undefined {
  return typeof error === 'object' && error !== null
    ? (error as { [CLASS]?: FailureClass })[CLASS]
    : undefined;
}

/** Sets the class of an error, unless an inner one is set. */
export function putClass(error: unknown, failureClass: FailureClass): void {
  if (typeof error !== 'object' || error === null || classOf(error) !== undefined) return;
  if (!Object.isExtensible(error)) return;
  Object.defineProperty(error, CLASS, { value: failureClass });
}
