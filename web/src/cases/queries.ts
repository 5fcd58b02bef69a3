import { queryOptions, useQuery } from '@tanstack/react-query';

import type { RunVerdictResource, TestCaseResource } from '../../../src/api/resources/test-case.ts';
import { api } from '../api.ts';
import { asked, usePages } from '../asked.ts';
import { askedCases, type CaseFilters } from './case-filters.ts';

const PAGE = 100;

export function useCases(filters: CaseFilters) {
  return usePages<'listTestCases'>(['cases', filters], '/test-cases', {
    path: {},
    query: { ...askedCases(filters), limit: PAGE },
  });
}

/** The last verdicts of some cases, by id; undefined: not known yet. */
export function useLastVerdicts(
  ids: readonly string[],
): ReadonlyMap<string, readonly RunVerdictResource[]> | undefined {
  const { data } = useQuery({
    ...asked<'listLastVerdicts'>(['last-verdicts', ids], '/test-cases/last-verdicts', {
      path: {},
      query: { id: [...ids] },
    }),
    enabled: ids.length > 0,
  });
  return data && new Map(data.data.map(({ test_case_id: id, runs }) => [id, runs]));
}

export function useTags({ enabled }: { readonly enabled: boolean }) {
  return useQuery({
    ...asked<'listTags'>(['tags'], '/test-cases/tags', { path: {} }),
    enabled,
    staleTime: 60_000,
  });
}

export function useSets({ enabled }: { readonly enabled: boolean }) {
  return useQuery({
    ...asked<'listCaseSets'>(['sets'], '/case-sets', { path: {}, query: { limit: 200 } }),
    enabled,
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
  return usePages<'listTrialsOfTestCase'>(['case-history', id], '/test-cases/{id}/trials', { path: { id } });
}

/** The names of some cases, by id. */
export function useCaseNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { data } = useQuery({
    ...asked<'listTestCases'>(['case-names', ids], '/test-cases', {
      path: {},
      query: { id: [...ids], limit: 200 },
    }),
    enabled: ids.length > 0,
  });
  return new Map(data?.data.map(({ id, name }) => [id, name]));
}
