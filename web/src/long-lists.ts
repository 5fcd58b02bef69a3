import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Lists with more pages are not asked for again as a whole. */
const MOST_PAGES = 3;

type Asked = Pick<Query, 'state'>;

export function isShort({ state }: Asked): boolean {
  const { pages } = (state.data ?? {}) as { readonly pages?: readonly unknown[] };
  return (pages?.length ?? 0) <= MOST_PAGES;
}

const isLong = (query: Asked) => !isShort(query);

/** After something was written. A long list that is shown stays as it is; of one that is not, the first pages stay. */
export function askAgain(queries: QueryClient, keys: readonly QueryKey[]): void {
  for (const queryKey of keys) {
    shorten(queries, { queryKey, type: 'inactive' });
    void queries.invalidateQueries({ queryKey, predicate: isShort });
  }
}

interface Shortened {
  readonly queryKey?: QueryKey;
  readonly type?: 'inactive';
}

/** Of long lists the first pages stay. */
export function shorten(queries: QueryClient, which: Shortened = {}): void {
  const long = { ...which, predicate: isLong };
  queries.setQueriesData<InfiniteData<unknown>>(long, (list) => list && firstPages(list));
}

function firstPages({ pages, pageParams }: InfiniteData<unknown>): InfiniteData<unknown> {
  return { pages: pages.slice(0, MOST_PAGES), pageParams: pageParams.slice(0, MOST_PAGES) };
}
