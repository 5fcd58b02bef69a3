import type { CheckRequest } from './check-request.ts';
import type { Printed } from './printed-output.ts';

/** Runs checks one at a time: a worker thread, or a process. The events of both are those of a worker thread. */
export interface CheckThread {
  on<Event extends keyof CheckEvents>(event: Event, listener: CheckEvents[Event]): this;
  postMessage(request: CheckRequest<unknown>): void;
  /** Takes a request back, if its check has not begun. It is answered as withdrawn then. Absent: never possible. */
  withdraw?(request: CheckRequest<unknown>): boolean;
  /** What it printed since its last request; absent: what it prints is dropped. */
  printed?(): Printed;
  terminate(): unknown;
  /** Whether it keeps the process of assay alive. */
  ref(): void;
  unref(): void;
}

export interface CheckEvents {
  readonly message: (answer: unknown) => void;
  readonly error: (error: NodeJS.ErrnoException) => void;
  readonly exit: (code: number) => void;
}
