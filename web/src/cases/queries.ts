import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';

import type { RunVerdictResource, TestCaseResource } from '../../../src/api/resources/test-case.ts';
import { api } from '../api.ts';
import { askedCases, type CaseFilters } from './case-filters.ts';

const PAGE = 100;

type Cursor = { readonly cursor?: string };
const first: Cursor = {};
const nextOf = ({ next_cursor }: { readonly next_cursor: string | null }): Cursor | undefined =>
  next_cursor === null ? undefined : { cursor: next_cursor };

export function useCases(filters: CaseFilters) {
  return useInfiniteQuery({
    queryKey: ['cases', filters],
    queryFn: ({ pageParam, signal }) =>
      api<'listTestCases'>(
        '/test-cases',
        { path: {}, query: { ...askedCases(filters), limit: PAGE, ...pageParam } },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: nextOf,
  });
}

/** The last verdicts of some cases, by id; undefined: not known yet. */
export function useLastVerdicts(
  ids: readonly string[],
): ReadonlyMap<string, readonly RunVerdictResource[]> | undefined {
  const { data } = useQuery({
    queryKey: ['last-verdicts', ids],
    enabled: ids.length > 0,
    queryFn: ({ signal }) =>
      api<'listLastVerdicts'>('/test-cases/last-verdicts', { path: {}, query: { id: [...ids] } }, { signal }),
  });
  return data && new Map(data.data.map(({ test_case_id: id, runs }) => [id, runs]));
}

export function useTags({ enabled }: { readonly enabled: boolean }) {
  return useQuery({
    enabled,
    queryKey: ['tags'],
    queryFn: ({ signal }) => api<'listTags'>('/test-cases/tags', { path: {} }, { signal }),
    staleTime: 60_000,
  });
}

export function useSets({ enabled }: { readonly enabled: boolean }) {
  return useQuery({
    enabled,
    queryKey: ['sets'],
    queryFn: ({ signal }) =>
      api<'listCaseSets'>('/case-sets', { path: {}, query: { limit: 200 } }, { signal }),
    staleTime: 60_000,
  });
}

/** A case with its mocks and its version. */
export interface WholeCase {
  readonly fields: TestCaseResource;
  readonly mocks: readonly object[];
  /** Of both, for `If-Match`. */
  readonly version: string;
}

export const wholeCaseQuery = (id: string) =>
  queryOptions({
    queryKey: ['case', id],
    queryFn: ({ signal }) => wholeCase(id, signal),
  });

/** Asks again where somebody wrote between the two answers: mocks and case have one version. */
async function wholeCase(id: string, signal: AbortSignal): Promise<WholeCase> {
  for (;;) {
    const fields = await api<'getTestCase'>('/test-cases/{id}', { path: { id } }, { signal });
    const { data } = await api<'getTestCaseMocks'>('/test-cases/{id}/mocks', { path: { id } }, { signal });
    const again = await api<'getTestCase'>('/test-cases/{id}', { path: { id } }, { signal });
    const version = again.updated_at;
    if (version === fields.updated_at) return { fields, mocks: data, version };
  }
}

export function useHistory(id: string) {
  return useInfiniteQuery({
    queryKey: ['case-history', id],
    queryFn: ({ pageParam, signal }) =>
      api<'listTrialsOfTestCase'>('/test-cases/{id}/trials', { path: { id }, query: pageParam }, { signal }),
    initialPageParam: first,
    getNextPageParam: nextOf,
  });
}

/** The names of some cases, by id. */
export function useCaseNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['case-names', ids],
    enabled: ids.length > 0,
    queryFn: ({ signal }) =>
      api<'listTestCases'>('/test-cases', { path: {}, query: { id: [...ids], limit: 200 } }, { signal }),
  });
  return new Map(data?.data.map(({ id, name }) => [id, name]));
}
