import { useInfiniteQuery, useQuery } from '@tanstack/react-query';

import { api } from './api.ts';
import { askedOf, type TrialFilters } from './filters.ts';

const LIVE_MS = 1000;
const PAGE = 200;
/** A long list that is watched is asked for again only in its first pages: its trials keep their order. */
const LIVE_PAGES = 3;

type Cursor = { readonly cursor?: string };
const first: Cursor = {};
const nextOf = ({ next_cursor }: { readonly next_cursor: string | null }): Cursor | undefined =>
  next_cursor === null ? undefined : { cursor: next_cursor };

const isLive = (state: string | undefined) =>
  state === 'running' || state === 'queued' || state === 'stopping';

/** A run; while it is being written it is asked for every second. */
export function useRun(run: string) {
  return useQuery({
    queryKey: ['run', run],
    queryFn: ({ signal }) => api<'getRun'>('/runs/{run}', { path: { run } }, { signal }),
    refetchInterval: ({ state }) => (isLive(state.data?.state) ? LIVE_MS : false),
  });
}

export interface ListedTrials {
  readonly run: string;
  readonly filters: TrialFilters;
  readonly state?: string | undefined;
}

export function useTrials({ run, filters, state }: ListedTrials) {
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
    refetchInterval: ({ state: { data } }) =>
      isLive(state) && (data?.pages.length ?? 0) <= LIVE_PAGES ? LIVE_MS : false,
  });
}

export function useMatrix(run: string, state: string) {
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
    refetchInterval: ({ state: { data } }) =>
      isLive(state) && (data?.pages.length ?? 0) <= LIVE_PAGES ? 2 * LIVE_MS : false,
  });
}

export function useTrial(run: string, trial: string) {
  return useQuery({
    queryKey: ['trial', run, trial],
    queryFn: ({ signal }) =>
      api<'getTrial'>('/runs/{run}/trials/{trial}', { path: { run, trial } }, { signal }),
  });
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
}

type State = NonNullable<Parameters<typeof api<'listRuns'>>[1]['query']>['state'];

export function useRuns({ state, search, target }: RunFilters) {
  const query = {
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
    refetchInterval: ({ state: { data } }) => ((data?.pages.length ?? 0) <= LIVE_PAGES ? 2 * LIVE_MS : false),
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

export interface Compared {
  readonly base: string;
  readonly candidate: string;
  readonly on?: 'score' | 'passed';
}

export function useComparison(compared: Compared) {
  return useQuery({
    queryKey: ['comparison', compared],
    queryFn: ({ signal }) => api<'compareRuns'>('/comparisons', { path: {}, query: compared }, { signal }),
    retry: false,
  });
}
