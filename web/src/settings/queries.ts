import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';

import { api } from '../api.ts';
import type { ArchivedFilter } from '../parts/archived.ts';

type Cursor = { readonly cursor?: string };
const first: Cursor = {};
const nextOf = ({ next_cursor }: { readonly next_cursor: string | null }): Cursor | undefined =>
  next_cursor === null ? undefined : { cursor: next_cursor };

/** The settings as they are now: the config file can change while a page is open. */
export function useSettingsNow() {
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => api<'getSettings'>('/settings', { path: {} }, { signal }),
    refetchOnMount: 'always',
  });
}

export function useMetricList(filter: ArchivedFilter) {
  return useInfiniteQuery({
    queryKey: ['metrics', filter],
    queryFn: ({ pageParam, signal }) =>
      api<'listMetrics'>(
        '/metrics',
        { path: {}, query: { ...filter, limit: 200, ...pageParam } },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: nextOf,
  });
}

export const metricQuery = (id: string) =>
  queryOptions({
    queryKey: ['metric', id],
    queryFn: ({ signal }) => api<'getMetric'>('/metrics/{id}', { path: { id } }, { signal }),
  });

export function useTokens() {
  return useInfiniteQuery({
    queryKey: ['tokens'],
    queryFn: ({ pageParam, signal }) =>
      api<'listTokens'>('/tokens', { path: {}, query: { limit: 100, ...pageParam } }, { signal }),
    initialPageParam: first,
    getNextPageParam: nextOf,
  });
}

/** The workers of the last day, asked again while the page is open. */
export function useWorkers() {
  return useInfiniteQuery({
    queryKey: ['workers'],
    queryFn: ({ pageParam, signal }) =>
      api<'listWorkers'>('/workers', { path: {}, query: { limit: 100, ...pageParam } }, { signal }),
    initialPageParam: first,
    getNextPageParam: nextOf,
    refetchOnMount: 'always',
    refetchInterval: 5000,
  });
}

export function useAccounts() {
  return useInfiniteQuery({
    queryKey: ['accounts'],
    queryFn: ({ pageParam, signal }) =>
      api<'listAccounts'>('/accounts', { path: {}, query: { limit: 100, ...pageParam } }, { signal }),
    initialPageParam: first,
    getNextPageParam: nextOf,
  });
}
