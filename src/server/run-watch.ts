import type { RunChange, TrialChange } from '../api/resources/feed.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import { sumOf } from '../app/view/trend-points.ts';
import type { RunEvent } from '../core/run.ts';
import { runFold, type RunFold } from '../reading/run-view.ts';
import type { Tally } from '../reading/tally.ts';
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
    const unknown = { counts: null, done: null, total: null, cost: null };
    if ('error' in summary) return { id, state: 'unreadable', ...unknown };
    const { state, head } = summary;
    try {
      const counted = state === 'running' ? log.total() : (await runs.counted(id)).totals;
      return { id, state, ...sumsOf(counted), total: head.trials };
    } catch {
      return { id, state: 'unreadable', ...unknown };
    }
  };
  return {
    async news() {
      const version = await runs.version(id);
      if (version === seen) return [];
      const isFirst = seen === '';
      seen = version;
      const isQuiet = isFirst && options.tells !== 'at-once' && !version.startsWith('running');
      if (isQuiet) return [];
      const events = version.startsWith('running') ? await log.read() : [];
      const change = await changeOf();
      const text = JSON.stringify(change);
      const trials = isFirst || options.trials !== 'told' ? [] : events.flatMap((event) => endIn(id, event));
      if (text === told) return trials;
      told = text;
      return [...trials, { event: 'run', data: change }];
    },
  };
}

function sumsOf({ counts, costUsd }: Pick<Tally, 'counts' | 'costUsd'>) {
  return { counts, done: counts.total, cost: sumOf(costUsd) };
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
    total: () => fold.ended(),
  };
}
