import { given } from '../lib/given.ts';
import type { Row, RunEvent, RunState } from '../core/run.ts';
import { countedOf, emptyTally, joined, tallied, withSkipped, type Counted, type Tally } from './tally.ts';
import { undoneInLog, type Undone } from './undone.ts';
import { parseTrialKey, trialKey } from '../core/trial.ts';

/** The results of the trials of one target so far. */
export interface TargetView extends Tally {
  readonly target: string;
  /** Trials planned for it. Absent if the log does not contain that number. */
  readonly planned?: number;
  /** Trials that have started but not ended. */
  readonly inFlight: number;
}

/** The state of a run according to its events so far. */
export interface RunView {
  readonly state: RunState;
  /** Why it was interrupted or stopped. Absent if its process died. */
  readonly reason?: string;
  /** Trials of the whole plan. */
  readonly planned: number;
  /** Trials with an end. Trials that a stopped run did not start have no end, but count as skipped. */
  readonly ended: number;
  readonly inFlight: number;
  readonly startedAt?: string;
  /** Time of the last event. */
  readonly at?: string;
  /** In the order of their first trial. */
  readonly targets: readonly TargetView[];
  readonly total: Tally;
  readonly sinkErrors: readonly { readonly sink: string; readonly message: string }[];
  /** Warnings that are in no row: about the run, its targets, and trials that had ended. Absent without warnings. */
  readonly notes?: RunNotes;
}

/** The number of different notes of a run, and the first ones. */
export interface RunNotes {
  readonly count: number;
  readonly first: readonly string[];
}

/**
 * The fold of a run's events. Its memory does not grow with the trials, except for a few numbers per errored
 * or cancelled trial, which another attempt may replace, and for notes that are in no row.
 */
export interface RunFold {
  apply(event: RunEvent): void;
  /** Counts the latest row of a trial. Later events of the trial may follow. */
  add(row: Row): void;
  view(): RunView;
  /** The results of all trials with an end. */
  ended(): Tally;
}

export function runFold(): RunFold {
  const trials = trialFold();
  let head: Head = { state: 'running', planned: 0, sinkErrors: [] };
  let at: string | undefined;
  const seen = new Set<string>();
  const note = (text: string) => {
    if (seen.has(text)) return;
    seen.add(text);
    head = { ...head, notes: withNote(head.notes, text) };
  };
  return {
    apply: (event) => {
      const { trial, fact } = event;
      at = event.at;
      if (trial !== undefined) {
        if (fact.type === 'trial-start') trials.start(trial);
        if (fact.type === 'trial-end') trials.end(trial, fact.row);
        if (fact.type === 'note' && !trials.isRunning(trial)) note(`${trial}: ${fact.text}`);
        return;
      }
      if (fact.type === 'note') note(fact.text);
      if (fact.type === 'run-start') trials.plan(fact.plan.trialsByTarget ?? {});
      if (fact.type === 'run-resume') trials.plan(fact.plan?.trialsByTarget ?? {});
      if (fact.type === 'run-end' || fact.type === 'run-resume') trials.abandon();
      head = headAfter(head, event, trials.total().counts.total);
    },
    add: trials.add,
    ended: trials.total,
    view: () => {
      const total = trials.total();
      const targets = trials.targets();
      const inFlight = targets.reduce((sum, target) => sum + target.inFlight, 0);
      const ended = total.counts.total;
      const undone = undoneInLog(head);
      return {
        ...head,
        ...given({ at }),
        ended,
        inFlight,
        total: undone === undefined ? total : withSkipped(total, head.planned - ended, undone),
        targets: undone === undefined ? targets : targets.map((target) => withUndone(target, undone)),
      };
    },
  };
}

function withUndone(view: TargetView, kind: Undone): TargetView {
  const { planned = view.counts.total } = view;
  return { ...view, ...withSkipped(view, planned - view.counts.total, kind) };
}

type Head = Omit<RunView, 'ended' | 'inFlight' | 'targets' | 'total'>;

function headAfter(head: Head, { at, fact }: RunEvent, ended: number): Head {
  switch (fact.type) {
    case 'run-start':
      return { ...head, planned: fact.plan.trials, startedAt: at };
    case 'run-resume': {
      const { reason: _, ...rest } = head;
      return {
        ...rest,
        state: 'running',
        planned: fact.plan?.trials ?? (head.planned === 0 ? ended + fact.remaining : head.planned),
      };
    }
    case 'run-state':
      // Told money says nothing about the state.
      if (fact.money !== undefined) return head;
      return { ...head, state: fact.state, ...given({ reason: fact.reason }) };
    case 'run-end':
      return { ...head, state: fact.state };
    case 'sink-error':
      return { ...head, sinkErrors: [...head.sinkErrors, { sink: fact.sink, message: fact.message }] };
    case 'trial-start':
    case 'trial-end':
    case 'attempt-start':
    case 'attempt-end':
    case 'transcript-entry':
    case 'model-usage':
    case 'grade':
    case 'note':
      return head;
    default:
      return fact satisfies never;
  }
}

const SHOWN_NOTES = 20;

function withNote(notes: RunNotes = { count: 0, first: [] }, text: string): RunNotes {
  const { count, first } = notes;
  return { count: count + 1, first: count < SHOWN_NOTES ? [...first, text] : first };
}

function trialFold() {
  const tallies = new Map<string, Tally>();
  const plans = new Map<string, number>();
  const running = new Set<string>();
  const replaceable = new Map<string, { readonly target: string; readonly counted: Counted }>();

  const count = (target: string, counted: Counted, sign: 1 | -1) => {
    tallies.set(target, tallied(tallies.get(target) ?? emptyTally, counted, sign));
  };
  /** A later attempt replaces the outcome of the earlier one. */
  const last = (key: string, row: Row) => {
    const before = replaceable.get(key);
    if (before !== undefined) count(before.target, before.counted, -1);
    replaceable.delete(key);
    const counted = countedOf(row);
    count(row.target, counted, 1);
    if (row.verdict === 'errored' || row.verdict === 'cancelled') {
      replaceable.set(key, { target: row.target, counted });
    }
  };
  const begin = (target: string) => {
    if (!tallies.has(target)) tallies.set(target, emptyTally);
  };
  const viewOf = (target: string, tally: Tally): TargetView => {
    const planned = plans.get(target);
    const inFlight = [...running].filter((key) => parseTrialKey(key)?.target === target).length;
    return { target, ...tally, ...given({ planned }), inFlight };
  };

  return {
    plan: (trials: Readonly<Record<string, number>>) => {
      for (const [target, planned] of Object.entries(trials)) {
        plans.set(target, planned);
        begin(target);
      }
    },
    start: (key: string) => {
      running.add(key);
    },
    isRunning: (key: string) => running.has(key),
    end: (key: string, row: Row) => {
      running.delete(key);
      last(key, row);
    },
    abandon: () => running.clear(),
    add: (row: Row) => last(trialKey(row), row),
    total: () => [...tallies.values()].reduce(joined, emptyTally),
    targets: () => [...tallies].map(([target, tally]) => viewOf(target, tally)),
  };
}
