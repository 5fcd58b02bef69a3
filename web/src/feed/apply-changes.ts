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
  const run = queries.getQueryData<RunResource>(['run', id]);
  const lists = queries.getQueriesData<RunPages>({ queryKey: ['runs'] });
  const listed = lists.flatMap(([, list]) => list?.pages.flatMap(({ data }) => data) ?? []);
  const known = run ?? listed.find((each) => each.id === id);
  if (known?.state === state && (known.totals?.counts.total ?? null) === done) return [];
  const hasEnded = known !== undefined && known.state !== state;
  return [
    ['run', id],
    ['runs'],
    ['matrix', id],
    ['measures', id],
    ...(hasEnded ? [['trials', id], ['trends']] : []),
  ];
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
