import type { Row, RunEvent, RunState } from './run.ts';
import { countedOf, emptyTally, tallied, type Counted, type Tally } from './tally.ts';
import { parseTrialKey, trialKey } from './trial.ts';

/** What the trials of one target came to so far. */
export interface TargetView extends Tally {
  readonly target: string;
  /** Trials planned for it; absent when the log does not say. */
  readonly planned?: number;
  /** Trials that were started and have not ended. */
  readonly inFlight: number;
}

/** A run as far as its events tell it. */
export interface RunView {
  readonly state: RunState;
  /** Why it was interrupted or stopped. */
  readonly reason?: string;
  /** Trials of the whole plan. */
  readonly planned: number;
  /** Trials that have an outcome. */
  readonly ended: number;
  readonly inFlight: number;
  readonly startedAt?: string;
  /** Of the last event. */
  readonly at?: string;
  /** In the order of their first trial. */
  readonly targets: readonly TargetView[];
  readonly total: Tally;
  readonly sinkErrors: readonly { readonly sink: string; readonly message: string }[];
}

/**
 * The one fold of a run's events. Its memory does not grow with the trials, except for a few numbers of each errored
 * or cancelled one, which another attempt may replace.
 */
export interface RunFold {
  apply(event: RunEvent): void;
  /** Counts a row that is known to be the last of its trial. */
  add(row: Row): void;
  view(): RunView;
}

export function runFold(): RunFold {
  const tallies = new Map<string, Tally>();
  const plans = new Map<string, number>();
  const running = new Map<string, string>();
  const replaceable = new Map<string, { readonly target: string; readonly counted: Counted }>();
  let total = emptyTally;
  let head: Omit<RunView, 'ended' | 'inFlight' | 'targets' | 'total'> = {
    state: 'running',
    planned: 0,
    sinkErrors: [],
  };

  const count = (target: string, counted: Counted, sign: 1 | -1) => {
    total = tallied(total, counted, sign);
    tallies.set(target, tallied(tallies.get(target) ?? emptyTally, counted, sign));
  };

  const end = (row: Row) => {
    const key = trialKey(row);
    running.delete(key);
    const before = replaceable.get(key);
    if (before !== undefined) count(before.target, before.counted, -1);
    replaceable.delete(key);
    const counted = countedOf(row);
    count(row.target, counted, 1);
    if (row.verdict === 'errored' || row.verdict === 'cancelled') {
      replaceable.set(key, { target: row.target, counted });
    }
  };

  const start = (key: string) => {
    const target = parseTrialKey(key)?.target;
    if (target === undefined) return;
    running.set(key, target);
    if (!tallies.has(target)) tallies.set(target, emptyTally);
  };

  const apply = ({ at, trial, fact }: RunEvent) => {
    head = { ...head, at };
    switch (fact.type) {
      case 'run-start':
        head = { ...head, planned: fact.trials, startedAt: at };
        for (const [target, trials] of Object.entries(fact.trialsByTarget ?? {})) {
          plans.set(target, trials);
          tallies.set(target, emptyTally);
        }
        return;
      case 'run-resume':
        running.clear();
        head = resumed(head, total.counts.total + fact.remaining);
        return;
      case 'trial-start':
        if (trial !== undefined) start(trial);
        return;
      case 'trial-end':
        return end(fact.row);
      case 'run-state':
        head = { ...head, state: fact.state, ...(fact.reason === undefined ? {} : { reason: fact.reason }) };
        return;
      case 'run-end':
        running.clear();
        head = { ...head, state: fact.state };
        return;
      case 'sink-error':
        head = { ...head, sinkErrors: [...head.sinkErrors, { sink: fact.sink, message: fact.message }] };
        return;
      case 'attempt-start':
      case 'attempt-end':
      case 'transcript-entry':
      case 'model-usage':
      case 'note':
      case 'grade':
        return;
      default:
        return fact satisfies never;
    }
  };

  return {
    apply,
    add: (row) => count(row.target, countedOf(row), 1),
    view: () => ({
      ...head,
      ended: total.counts.total,
      inFlight: running.size,
      total,
      targets: [...tallies].map(([target, tally]) => ({
        target,
        ...tally,
        ...(plans.has(target) ? { planned: plans.get(target) ?? 0 } : {}),
        inFlight: [...running.values()].filter((name) => name === target).length,
      })),
    }),
  };
}

/** A resumed run goes on: why it had stopped no longer holds. A reader that missed the start learns the plan here. */
function resumed<Head extends { readonly planned: number; readonly reason?: string }>(
  head: Head,
  known: number,
): Omit<Head, 'reason'> & { readonly state: RunState } {
  const { reason: _, ...rest } = head;
  return { ...rest, planned: head.planned === 0 ? known : head.planned, state: 'running' };
}
