import type { Row, RunEvent } from '../../../core/run.ts';
import { plainText } from '../plain-text.ts';
import type { Queries } from '../database.ts';
import type { RunDigests } from './run-digests.ts';
import type { RowFold } from './run-room.ts';
import { totalsFold, type RunTotals } from './totals-fold.ts';
import { UNSEEN_RUN } from './unseen-run.ts';
import { lastDigestOf, writeTrials, type ChangedTrials, type TrialState } from './write-trials.ts';

export interface Projection {
  readonly fold: RowFold;
  /** What the events before these have come to. */
  readonly before: RunTotals;
}

export interface StoredProjection extends Projection {
  /** Its id. */
  readonly run: string;
  readonly digests: RunDigests;
}

/** Writes what events come to into the tables of trials and grades; gives what they come to for the run. */
export async function project(
  queries: Queries,
  events: readonly RunEvent[],
  { run, digests, ...projection }: StoredProjection,
): Promise<RunTotals> {
  const trials = await trialsOf(queries, run, events);
  const totals = projected(trials, events, projection);
  const known = await digests.upTo(queries, lastDigestOf(trials));
  await Promise.all(writeTrials(queries, run, { ...trials, digests: known }));
  return totals;
}

/** Changes trials to what events come to; gives what they come to for the run. */
export function projected(
  trials: Trials,
  events: readonly RunEvent[],
  { fold, before }: Projection,
): RunTotals {
  const totals = totalsFold(fold, before);
  for (const { sequence, trial: key = '', fact } of events) {
    switch (fact.type) {
      case 'run-state':
        if (fact.money !== undefined) totals.change(fact.money);
        else if (fact.state === 'running' || fact.state === 'stopping') totals.change({ state: fact.state });
        break;
      case 'run-start':
        totals.plan(fact.plan);
        break;
      case 'run-end':
        totals.rest(sequence);
        break;
      case 'run-resume':
        totals.rest(sequence);
        totals.plan(fact.plan);
        for (const dropped of fact.dropped ?? []) {
          trials.change(dropped, (state) => {
            totals.drop(state);
            return { ...state, endedSequence: null, row: undefined, lateNotes: [] };
          });
        }
        break;
      case 'trial-start':
        if (fact.number !== undefined) trials.begin(key, fact.number);
        trials.change(key, (state) => {
          totals.begin(state);
          return { ...state, startedSequence: sequence };
        });
        break;
      case 'trial-end': {
        const { row } = fact;
        trials.begin(key, row.number);
        trials.change(key, (state) => {
          totals.drop(state);
          totals.end(state, row);
          return { ...state, startedSequence: null, endedSequence: sequence, row };
        });
        break;
      }
      case 'note': {
        const { text } = fact;
        trials.change(key, (state) =>
          isOver(state) ? { ...state, lateNotes: [...state.lateNotes, plainText(text)] } : state,
        );
        break;
      }
      default:
    }
  }
  return totals.now();
}

/** Whether it has ended and was not begun again since. */
function isOver({ startedSequence, endedSequence }: TrialState): boolean {
  return endedSequence !== null && startedSequence === null;
}

/** The trials that events tell of. */
export interface Trials extends ChangedTrials {
  /** Creates it with its number in the log, or with the next number if another trial has that one. */
  begin(key: string, told: number | undefined): void;
  change(key: string, change: (state: TrialState) => TrialState): void;
}

interface KnownTrial extends Readonly<Record<string, unknown>> {
  readonly number: number;
  readonly key: string;
  readonly started_sequence: number | null;
  readonly ended_sequence: number | null;
  readonly late_notes: readonly string[];
  readonly row: string | null;
}

/** The trials that events tell of, as the events before have left them. */
export async function trialsOf(
  { query }: Queries,
  run: string,
  events: readonly RunEvent[],
): Promise<Trials> {
  const keys = [...new Set(events.flatMap(keysIn))];
  const told = events.flatMap(({ fact }) => numberIn(fact) ?? []);
  if (keys.length === 0) return trialsFrom([], 0);
  const [known, [last]] = await Promise.all([
    query<KnownTrial>(
      `select number, key, started_sequence, ended_sequence, late_notes, row from trial
       where run_id = ${UNSEEN_RUN} and (key = any($2::text[]) or number = any($3::int[]))`,
      [run, keys, told],
      { preparedAs: 'known-trials' },
    ),
    query<{ last: number }>(LAST_NUMBER, [run], { preparedAs: 'last-number' }),
  ]);
  return trialsFrom(known, last?.last ?? 0);
}

function trialsFrom(known: readonly KnownTrial[], last: number): Trials {
  const states = new Map(known.map((trial) => [trial.key, stateOf(trial)]));
  const numbers = new Set(known.map(({ number }) => number));
  const changed = new Set<string>();
  const graded = new Set(known.flatMap(({ key, row }) => (row === null ? [] : [key])));
  let lastNumber = last;
  return {
    begin(key, number) {
      if (states.has(key)) return;
      const free = number === undefined || numbers.has(number) ? lastNumber + 1 : number;
      numbers.add(free);
      lastNumber = Math.max(lastNumber, free);
      states.set(key, {
        number: free,
        key,
        startedSequence: null,
        endedSequence: null,
        row: undefined,
        lateNotes: [],
      });
    },
    change(key, change) {
      const state = states.get(key);
      if (state === undefined) return;
      const after = change(state);
      if (after === state) return;
      states.set(key, after);
      changed.add(key);
    },
    changed: () => [...changed].flatMap((key) => states.get(key) ?? []),
    graded: () => [...changed].flatMap((key) => (graded.has(key) ? (states.get(key)?.number ?? []) : [])),
  };
}

const LAST_NUMBER = 'select number as last from trial where run_id = $1 order by number desc limit 1';

function keysIn({ trial, fact }: RunEvent): readonly string[] {
  switch (fact.type) {
    case 'run-resume':
      return fact.dropped ?? [];
    case 'trial-start':
    case 'trial-end':
    case 'note':
      return trial === undefined ? [] : [trial];
    default:
      return [];
  }
}

/** Earlier versions told none. */
function numberIn(fact: RunEvent['fact']): number | undefined {
  if (fact.type === 'trial-start') return fact.number;
  return fact.type === 'trial-end' ? fact.row.number : undefined;
}

function stateOf({ number, key, row, ...trial }: KnownTrial): TrialState {
  return {
    number,
    key,
    startedSequence: trial.started_sequence,
    endedSequence: trial.ended_sequence,
    row: row === null ? undefined : (JSON.parse(row) as Row),
    lateNotes: trial.late_notes,
  };
}
