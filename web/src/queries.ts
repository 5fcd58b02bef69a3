import { queryOptions, skipToken, useInfiniteQuery, useQuery } from '@tanstack/react-query';

import type { RunChange } from '../../src/api/resources/feed.ts';
import type { RunResource } from '../../src/api/resources/run.ts';
import type { TrialResource, WholeTrial } from '../../src/api/resources/trial.ts';
import { api } from './api.ts';
import type { Compared } from './compared.ts';
import { askedOf, type TrialFilters } from './filters.ts';
import { gradingsOf, type Grading } from './gradings.ts';

const PAGE = 200;

type Cursor = { readonly cursor?: string };
const first: Cursor = {};
const nextOf = ({ next_cursor }: { readonly next_cursor: string | null }): Cursor | undefined =>
  next_cursor === null ? undefined : { cursor: next_cursor };

/** A run. What changes while a page shows it comes by its feed. */
export function useRun(run: string) {
  return useQuery(runQuery(run));
}

export const runQuery = (run: string) =>
  queryOptions({
    queryKey: ['run', run],
    queryFn: ({ signal }) => api<'getRun'>('/runs/{run}', { path: { run } }, { signal }),
  });

export interface ListedTrials {
  readonly run: string;
  readonly filters: TrialFilters;
}

export function useTrials({ run, filters }: ListedTrials) {
  return useInfiniteQuery({
    queryKey: ['trials', run, filters],
    queryFn: ({ pageParam, signal }) =>
      api<'listTrials'>(
        '/runs/{run}/trials',
        { path: { run }, query: { ...askedOf(filters), limit: PAGE, ...pageParam } },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: nextOf,
  });
}

export function useMatrix(run: string) {
  return useInfiniteQuery({
    queryKey: ['matrix', run],
    queryFn: ({ pageParam, signal }) =>
      api<'getMatrix'>(
        '/runs/{run}/matrix',
        { path: { run }, query: { limit: 50, ...pageParam } },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: nextOf,
  });
}

/** What the feed told of a run last; undefined: nothing yet. */
export function useProgress(run: string): RunChange | undefined {
  return useQuery<RunChange>({ queryKey: ['progress', run], queryFn: skipToken }).data;
}

export function useRunCost(run: string) {
  return useQuery({
    queryKey: ['measures', run, 'cost'],
    queryFn: ({ signal }) => api<'getRunCost'>('/runs/{run}/cost', { path: { run } }, { signal }),
  });
}

export function useJudges(run: string) {
  return useQuery({
    queryKey: ['measures', run, 'judges'],
    queryFn: ({ signal }) => api<'listJudges'>('/runs/{run}/judges', { path: { run } }, { signal }),
  });
}

export function useDistributions(run: string, { enabled }: { readonly enabled: boolean }) {
  return useQuery({
    enabled,
    queryKey: ['measures', run, 'distributions'],
    queryFn: ({ signal }) =>
      api<'getRunDistributions'>('/runs/{run}/distributions', { path: { run } }, { signal }),
  });
}

/** A trial. `grading`: as that run graded it again; until it is there, the former grading stays. */
export function useTrial(run: string, trial: string, grading?: string) {
  const query = grading === undefined ? {} : { grading };
  return useQuery({
    queryKey: ['trial', run, trial, grading],
    queryFn: ({ signal }) =>
      api<'getTrial'>('/runs/{run}/trials/{trial}', { path: { run, trial }, query }, { signal }),
    placeholderData: (former: WholeTrial | undefined, of) =>
      of?.queryKey[1] === run && of.queryKey[2] === trial ? former : undefined,
  });
}

/** The same trial as it was graded at first, and as other runs graded it again. */
export function useGradings(run: string, trial: TrialResource): readonly Grading[] {
  const gradings = useQuery({
    queryKey: ['gradings', run, trial.number],
    queryFn: ({ signal }) => gradingsOf(api, { run, trial, signal }),
    staleTime: 60_000,
  });
  return gradings.data ?? [];
}

export function useTranscript(run: string, trial: string) {
  return useInfiniteQuery({
    queryKey: ['transcript', run, trial],
    queryFn: ({ pageParam, signal }) =>
      api<'getTranscript'>(
        '/runs/{run}/trials/{trial}/transcript',
        { path: { run, trial }, query: { limit: PAGE, ...pageParam } },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: nextOf,
  });
}

export interface RunFilters {
  readonly search?: string;
  readonly target?: string;
  readonly state?: string;
  /** Only archived ones. */
  readonly archived?: true;
}

type State = NonNullable<Parameters<typeof api<'listRuns'>>[1]['query']>['state'];

export function useRuns({ state, search, target, archived }: RunFilters) {
  const query = {
    ...(archived === true ? { archived: 'true' as const } : {}),
    ...(search === undefined ? {} : { search }),
    ...(target === undefined ? {} : { target }),
    ...(state === undefined ? {} : { state: state as Extract<State, string> }),
  };
  return useInfiniteQuery({
    queryKey: ['runs', query],
    queryFn: ({ pageParam, signal }) =>
      api<'listRuns'>('/runs', { path: {}, query: { ...query, ...pageParam } }, { signal }),
    initialPageParam: first,
    getNextPageParam: nextOf,
  });
}

/** Runs that go on, of all ages: to find them takes a look at every run, so that only beginnings and ends ask again. */
export function useRunning() {
  return useQuery({
    queryKey: ['running'],
    queryFn: ({ signal }) => api<'listRuns'>('/runs', { path: {}, query: { state: 'running' } }, { signal }),
    staleTime: 60_000,
  });
}

/** Runs of the same tests that began before this one, newest first: those with some of its targets, or all. */
export function useRunsBefore(
  { id, line, started_at: started, targets }: RunResource,
  { enabled, of }: { readonly enabled: boolean; readonly of: 'its-targets' | 'all-targets' },
) {
  return useQuery({
    queryKey: ['runs-before', id, of],
    enabled: enabled && line !== null && started !== null,
    queryFn: ({ signal }) =>
      api<'listRuns'>(
        '/runs',
        {
          path: {},
          query: {
            ...(line === null ? {} : { line }),
            ...(started === null ? {} : { until: started }),
            state: ['completed', 'stopped', 'interrupted'],
            kind: 'run',
            ...(of === 'its-targets' ? { target: [...targets] } : {}),
          },
        },
        { signal },
      ),
    staleTime: 60_000,
  });
}

export interface TrendFilters {
  readonly target?: string;
  readonly line?: string;
  readonly since?: string;
  readonly until?: string;
}

export function useTrends(filters: TrendFilters) {
  return useQuery({
    queryKey: ['trends', filters],
    queryFn: ({ signal }) => api<'listTrends'>('/trends', { path: {}, query: filters }, { signal }),
  });
}

export function useComparison(compared: Compared, { enabled = true }: { readonly enabled?: boolean } = {}) {
  return useQuery({
    queryKey: ['comparison', compared],
    enabled,
    queryFn: ({ signal }) =>
      api<'compareRuns'>('/comparisons', { path: {}, query: sidesOf(compared) }, { signal }),
    retry: false,
  });
}

export function useTagComparisons(compared: Compared) {
  return useQuery({
    queryKey: ['tag-comparisons', compared],
    queryFn: ({ signal }) =>
      api<'compareTags'>('/comparisons/tags', { path: {}, query: sidesOf(compared) }, { signal }),
    retry: false,
  });
}

function sidesOf({ across, ...sides }: Compared) {
  return { ...sides, ...(across === undefined ? {} : { across: [...across] }) };
}
