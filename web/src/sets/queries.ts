import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';

import type { CaseSetResource, MembersResource } from '../../../src/api/resources/case-set.ts';
import { api } from '../api.ts';
import { asked, usePages } from '../asked.ts';
import type { ArchivedFilter } from '../parts/archived.ts';

export function useSetList(filter: ArchivedFilter) {
  return usePages<'listCaseSets'>(['sets', 'list', filter], '/case-sets', {
    path: {},
    query: { ...filter, limit: 100 },
  });
}

/** A set with its members. */
export interface WholeSet {
  readonly set: CaseSetResource;
  readonly members: MembersResource['data'];
}

export const wholeSetQuery = (id: string) =>
  queryOptions({ queryKey: ['set', id], queryFn: ({ signal }) => wholeSet(id, signal) });

/** Asks again if somebody changed the members between the two answers. */
async function wholeSet(id: string, signal: AbortSignal): Promise<WholeSet> {
  for (;;) {
    const set = await api<'getCaseSet'>('/case-sets/{id}', { path: { id } }, { signal });
    const { data, version } = await api<'listMembers'>(
      '/case-sets/{id}/members',
      { path: { id } },
      { signal },
    );
    if (version === set.version) return { set, members: data };
  }
}

/** The cases of a set in their order, whatever their status. */
export function useCasesOfSet(id: string) {
  return usePages<'listTestCases'>(['set-cases', id], '/test-cases', {
    path: {},
    query: { set: id, status: ['any'], limit: 200 },
  });
}

/** Drafts and active cases with a text in their name or description: a few of them. */
export function useFoundCases(search: string) {
  return useQuery({
    ...asked<'listTestCases'>(['found-cases', search], '/test-cases', {
      path: {},
      query: { search, status: ['active', 'draft'], limit: 10 },
    }),
    enabled: search !== '',
    placeholderData: (former) => former,
  });
}

/** After a change of a set. */
export async function refreshSets(queries: QueryClient, id?: string): Promise<void> {
  const keys = [
    ['sets'],
    ...(id === undefined
      ? []
      : [
          ['set', id],
          ['set-cases', id],
        ]),
  ];
  void queries.invalidateQueries({ queryKey: ['cases'] });
  await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
