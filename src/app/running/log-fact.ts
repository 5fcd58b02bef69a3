import type { Emitted, Fact, RunMoney } from '../../core/run.ts';
import type { EventStream } from '../../engine/event-stream.ts';

/** Logs a fact about the whole run. */
export function logFact(stream: Pick<EventStream, 'emit'>, now: () => number, fact: Fact): void {
  stream.emit(factNow(now, fact));
}

/** The costs of a running run, as a fact. */
export function moneyNow(now: () => number, money: RunMoney): Emitted {
  return factNow(now, { type: 'run-state', state: 'running', money });
}

function factNow(now: () => number, fact: Fact): Emitted {
  return { at: new Date(now()).toISOString(), fact };
}
