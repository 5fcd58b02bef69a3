import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';

import type { RunChange, TrialChange } from '../../../src/api/resources/feed.ts';
import type { RunResource } from '../../../src/api/resources/run.ts';
import type { TrialFilters } from '../filters.ts';
import type { Changes } from './follow-feed.ts';
import { canMerge, mergeTrials, type TrialPages } from './merge-trials.ts';

type RunPages = InfiniteData<{ readonly data: readonly RunResource[] }>;

/** Writes what a feed told into the cache of queries, and gives the keys of what has to be asked for again. */
export function applyChanges(queries: QueryClient, { runs, trials }: Changes): readonly QueryKey[] {
  const latest = new Map(runs.map((change) => [change.id, change]));
  return [
    ...[...latest.values()].flatMap((change) => applyRun(queries, change)),
    ...applyTrials(queries, trials),
  ];
}

function applyRun(queries: QueryClient, change: RunChange): readonly QueryKey[] {
  const { id, state, done } = change;
  queries.setQueryData(['progress', id], change);
  const known = knownOf(queries, id);
  const isTold = (run: RunResource) => run.state === state && (run.totals?.counts.total ?? null) === done;
  if (known.length > 0 && known.every(isTold)) return [];
  const hasEnded = known.some((run) => run.state !== state);
  return [
    ['run', id],
    ['runs'],
    ['matrix', id],
    ['measures', id],
    ...(hasEnded ? [['trials', id], ['trends']] : []),
    ...(hasEnded || known.length === 0 ? [['running']] : []),
  ];
}

/** The run as pages show it, wherever it is listed. */
function knownOf(queries: QueryClient, id: string): readonly RunResource[] {
  const run = queries.getQueryData<RunResource>(['run', id]);
  const running = queries.getQueryData<RunPages['pages'][number]>(['running']);
  const lists = queries.getQueriesData<RunPages>({ queryKey: ['runs'] });
  const pages = lists.flatMap(([, list]) => list?.pages ?? []);
  const listed = [...pages, ...(running === undefined ? [] : [running])].flatMap(({ data }) => data);
  return [...(run === undefined ? [] : [run]), ...listed.filter((each) => each.id === id)];
}

function applyTrials(queries: QueryClient, ended: readonly TrialChange[]): readonly QueryKey[] {
  const stale: QueryKey[] = [];
  for (const run of new Set(ended.map(({ run_id: id }) => id))) {
    const own = ended.filter(({ run_id: id }) => id === run);
    for (const [key, list] of queries.getQueriesData<TrialPages>({ queryKey: ['trials', run] })) {
      const filters = key[2] as TrialFilters;
      if (list === undefined || !canMerge(filters)) stale.push(key);
      else queries.setQueryData(key, mergeTrials(list, own, filters));
    }
  }
  return stale;
}
