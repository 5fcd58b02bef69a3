import type { Fact } from '../../core/run.ts';
import type { EventStream } from '../../engine/event-stream.ts';

/** Logs a fact about the whole run. */
export function logFact(stream: EventStream, now: () => number, fact: Fact): void {
  stream.emit({ at: new Date(now()).toISOString(), fact });
}
