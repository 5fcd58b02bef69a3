import type { RunChange, TrialChange } from '../api/resources/feed.ts';
import type { CountedRun } from '../app/view/counted-run.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { RunEvent } from '../core/run.ts';
import { runFold, type RunFold, type RunView } from '../reading/run-view.ts';
import type { Tally } from '../reading/tally.ts';
import { usdOf, wholeCost } from '../reading/whole-cost.ts';
import { isOfRun } from './failure.ts';
import { trialResource } from './trial-resource.ts';

/** Polls one run. */
export interface RunWatch {
  /** The changes since the last call. */
  news(): Promise<readonly Change[]>;
}

export type Change =
  | { readonly event: 'run'; readonly data: RunChange }
  | { readonly event: 'trial'; readonly data: TrialChange };

export interface WatchOptions {
  /** When the first message is sent: immediately, or when the run is running or changes. */
  readonly tells: 'at-once' | 'when-it-runs-or-changes';
  readonly trials: 'told' | 'counted-only';
}

export function watchRun(id: string, runs: RunSummaries, options: WatchOptions): RunWatch {
  const log = logFold(id, runs);
  let seen = '';
  let told = '';
  const changeOf = async (): Promise<RunChange> => {
    const summary = await runs.of(id);
    if ('error' in summary) return unknownChange(id);
    const { state, head } = summary;
    try {
      const sums = state === 'running' ? sumsOfView(log.view()) : sumsOfCounted(await runs.counted(id));
      return { id, state, ...sums, total: head.trials };
    } catch {
      return unknownChange(id);
    }
  };
  return {
    async news() {
      const version = await runs.version(id);
      if (version === seen) return [];
      const isFirst = seen === '';
      const isLive = version.startsWith(RUNNING);
      // What ended just before the run did is told too.
      const goesOn = isLive || seen.startsWith(RUNNING);
      seen = version;
      if (isFirst && options.tells !== 'at-once' && !isLive) return [];
      const events = goesOn ? await log.read().catch(unreadable) : [];
      const change = events === undefined ? unknownChange(id) : await changeOf();
      const text = JSON.stringify(change);
      const trials =
        isFirst || options.trials !== 'told' ? [] : (events ?? []).flatMap((event) => endIn(id, event));
      if (text === told) return trials;
      told = text;
      return [...trials, { event: 'run', data: change }];
    },
  };
}

const RUNNING = 'running ';

/** A run that was removed or damaged meanwhile ends no feed. */
function unreadable(error: unknown): undefined {
  if (!isOfRun(error)) throw error;
}

type Sums = Omit<RunChange, 'id' | 'state' | 'total'>;

function unknownChange(id: string): RunChange {
  return { id, state: 'unreadable', counts: null, done: null, total: null, cost: null, targets: [] };
}

function sumsOf({ counts, costUsd }: Pick<Tally, 'counts' | 'costUsd'>) {
  return { counts, done: counts.total, cost: usdOf(wholeCost(costUsd)) };
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

function endIn(id: string, { fact }: RunEvent): Change[] {
  if (fact.type !== 'trial-end') return [];
  return [{ event: 'trial', data: { run_id: id, ...trialResource(fact.row) } }];
}

/** Reads the log from the point that it reached before. */
function logFold(id: string, runs: RunSummaries) {
  const fold: RunFold = runFold();
  let last = 0;
  return {
    async read(): Promise<readonly RunEvent[]> {
      const events: RunEvent[] = [];
      for await (const event of (await runs.run(id)).events(last)) {
        fold.apply(event);
        last = event.sequence;
        if (event.fact.type === 'trial-end') events.push(event);
      }
      return events;
    },
    view: () => fold.view(),
  };
}
