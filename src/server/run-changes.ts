import type { RunChange } from '../api/resources/feed.ts';
import type { CountedRun } from '../app/view/counted-run.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { ReadableRun } from '../app/view/run-summary.ts';
import { isUnderWay } from '../core/run.ts';
import { TALLY_FOLD, type RunTally } from '../reading/row-fold.ts';
import { runFold, type RunFold, type RunView } from '../reading/run-view.ts';
import type { Tally } from '../reading/tally.ts';
import { usdOf, wholeCost } from '../reading/whole-cost.ts';
import { isOfRun } from './failure.ts';

/** Messages about runs, each made once for all feeds. */
export interface RunChanges {
  /** The message about a run in this version. */
  of(id: string, version: string): Promise<RunChange>;
  /** The last event that the last message about a running run covers. */
  positionOf(id: string): number;
}

/** Runs whose last message is held. */
const MOST_RUNS = 1000;

export function runChanges(runs: RunSummaries): RunChanges {
  const made = new Map<string, { readonly version: string; readonly change: Promise<RunChange> }>();
  const live = new Map<string, LiveRun>();
  const make = async (id: string): Promise<RunChange> => {
    const summary = await runs.of(id);
    if ('error' in summary) return unknownChange(id);
    try {
      const sums = isUnderWay(summary.state)
        ? await sumsNow(summary, live, runs)
        : sumsOfCounted(await runs.counted(summary));
      return { id, state: summary.state, ...sums, total: summary.head.trials };
    } catch (error) {
      if (!isOfRun(error)) throw error;
      return unknownChange(id);
    }
  };
  return {
    positionOf: (id) => live.get(id)?.position ?? 0,
    of(id, version) {
      const before = made.get(id);
      if (before?.version === version) return before.change;
      // Two that read the log of a run at the same time would count an event twice.
      const change = (before?.change ?? Promise.resolve()).then(
        () => make(id),
        () => make(id),
      );
      made.delete(id);
      made.set(id, { version, change });
      change.catch(() => {
        if (made.get(id)?.change === change) made.delete(id);
      });
      for (const old of [...made.keys()].slice(0, -MOST_RUNS)) {
        made.delete(old);
        live.delete(old);
      }
      return change;
    },
  };
}

/** A store has the sums of a running run; otherwise they are read from its log. */
async function sumsNow({ id }: ReadableRun, live: Map<string, LiveRun>, runs: RunSummaries): Promise<Sums> {
  const before = live.get(id);
  const { tally, lastSequence = 0 } = (await runs.open(id).index?.tally()) ?? {};
  const known = (tally ?? EMPTY) as RunTally;
  if (tally !== undefined && known.targets !== undefined) {
    live.set(id, { position: lastSequence });
    return sumsOfTally(known);
  }
  const log = before?.log ?? logFold(id, runs);
  const { view, last } = await log();
  live.set(id, { position: last, log });
  return sumsOfView(view);
}

const EMPTY = TALLY_FOLD.empty;

/** What is kept in memory about a running run. */
interface LiveRun {
  readonly position: number;
  readonly log?: LogFold;
}

type Sums = Omit<RunChange, 'id' | 'state' | 'total'>;

function unknownChange(id: string): RunChange {
  return { id, state: 'unreadable', counts: null, done: null, total: null, cost: null, targets: [] };
}

function sumsOf({ counts, costUsd }: Pick<Tally, 'counts' | 'costUsd'>) {
  return { counts, done: counts.total, cost: usdOf(wholeCost(costUsd)) };
}

function sumsOfTally({ counts, costUsd, targets = {} }: RunTally): Sums {
  return {
    ...sumsOf({ counts, costUsd }),
    targets: Object.entries(targets).map(([target, own]) => ({
      target,
      ...sumsOf(own),
      total: own.planned ?? null,
      in_flight: own.inFlight,
    })),
  };
}

function sumsOfView({ total, targets }: RunView): Sums {
  return {
    ...sumsOf(total),
    targets: targets.map((tally) => ({
      target: tally.target,
      ...sumsOf(tally),
      total: tally.planned ?? null,
      in_flight: tally.inFlight,
    })),
  };
}

function sumsOfCounted({ totals, targets }: CountedRun): Sums {
  return {
    ...sumsOf(totals),
    targets: targets.map(({ target, planned, totals: own }) => ({
      target,
      ...sumsOf(own),
      total: planned ?? null,
      in_flight: 0,
    })),
  };
}

type LogFold = () => Promise<{ readonly view: RunView; readonly last: number }>;

/** Reads the log from the point that it reached before. */
function logFold(id: string, runs: RunSummaries): LogFold {
  const fold: RunFold = runFold();
  let last = 0;
  return async () => {
    for await (const event of runs.open(id).events(last)) {
      fold.apply(event);
      last = event.sequence;
    }
    return { view: fold.view(), last };
  };
}
