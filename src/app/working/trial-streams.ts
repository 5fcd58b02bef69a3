import { AssayError, BudgetSpent } from '../../core/errors.ts';
import type { Emitted, RunMoney } from '../../core/run.ts';
import type { EventStream } from '../../engine/event-stream.ts';
import type { MoneyTeller } from '../running/telling-ledger.ts';

/**
 * The streams of the trials that run here, each written under its own lease. What is said of the whole run is written by
 * one of them. If it is refused because the lease of that trial is lost, another one writes it.
 */
export interface TrialStreams {
  readonly money: MoneyTeller;
  add(stream: EventStream): void;
  /** The trial has ended, or its lease is lost. */
  remove(stream: EventStream): void;
  note(text: string): void;
}

export function trialStreams(now: () => number): TrialStreams {
  const streams = new Set<EventStream>();
  /** What was told last; all earlier costs are part of it. */
  let last: RunMoney | undefined;
  const said = (fact: Emitted['fact']): Emitted => ({ at: new Date(now()).toISOString(), fact });
  const costs = (money: RunMoney) => said({ type: 'run-state', state: 'running', money });
  const soon = (money: RunMoney): void => {
    last = money;
    [...streams][0]?.emit(costs(money));
  };
  const remove = (stream: EventStream): void => {
    if (!streams.delete(stream)) return;
    stream.flush().catch(() => {
      if (last !== undefined) soon(last);
    });
  };
  const first = async (money: RunMoney): Promise<void> => {
    const [stream] = streams;
    if (stream === undefined) throw new BudgetSpent('no trial of this worker asks for money');
    try {
      await stream.setAside(costs(money));
    } catch (error) {
      if (!(error instanceof AssayError) || error.code !== 'lease-lost') throw error;
      remove(stream);
      if (streams.size === 0) throw error;
      await first(money);
    }
  };
  return {
    money: { first, soon },
    add: (stream) => void streams.add(stream),
    remove,
    note: (text) => [...streams][0]?.emit(said({ type: 'note', text })),
  };
}
