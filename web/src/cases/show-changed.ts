import type { InfiniteData, QueryClient } from '@tanstack/react-query';

import type { TestCaseResource } from '../../../src/api/resources/test-case.ts';
import type { CaseFilters } from './case-filters.ts';

type CasePages = InfiniteData<{ readonly data: readonly TestCaseResource[] }>;

/** Writes cases, by id, into the lists that show them. What was archived leaves lists without archived cases. */
export function showChanged(queries: QueryClient, changed: ReadonlyMap<string, TestCaseResource>): void {
  for (const [key, list] of queries.getQueriesData<CasePages>({ queryKey: ['cases'] })) {
    if (list === undefined) continue;
    const { status = 'active', set } = key[1] as CaseFilters;
    const isListed = ({ status: now }: TestCaseResource) =>
      now !== 'archived' || set !== undefined || status === 'archived' || status === 'any';
    const pages = list.pages.map((page) => ({
      ...page,
      data: page.data.flatMap((before) => {
        const now = changed.get(before.id);
        return now === undefined ? [before] : isListed(now) ? [now] : [];
      }),
    }));
    queries.setQueryData(key, { ...list, pages });
  }
}
