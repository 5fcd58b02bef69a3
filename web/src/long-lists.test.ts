import { InfiniteQueryObserver, QueryClient, type InfiniteData } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import { askAgain, isShort } from './long-lists.ts';

const listOf = (pages: number): InfiniteData<number> => ({
  pages: Array.from({ length: pages }, (_, at) => at),
  pageParams: Array.from({ length: pages }, (_, at) => at),
});

/** Lists of so many pages, each shown and hidden, and the pages that are asked for. */
const opened = (pages: number) => {
  const asked: string[] = [];
  const queries = new QueryClient({
    defaultOptions: { queries: { refetchOnMount: isShort, staleTime: Infinity } },
  });
  const options = (name: string) => ({
    queryKey: ['cases', name],
    queryFn: ({ pageParam }: { readonly pageParam: number }) => {
      asked.push(`${name} ${pageParam}`);
      return pageParam;
    },
    initialPageParam: 0,
    getNextPageParam: (last: number) => last + 1,
  });
  for (const name of ['shown', 'hidden']) queries.setQueryData(['cases', name], listOf(pages));
  const end = new InfiniteQueryObserver(queries, options('shown')).subscribe(() => undefined);
  const pagesOf = (name: string) => queries.getQueryData<InfiniteData<number>>(['cases', name])?.pages.length;
  const isStale = (name: string) => queries.getQueryState(['cases', name])?.isInvalidated;
  return { queries, asked, end, pagesOf, isStale };
};

test('short lists are asked for again', async () => {
  const { queries, asked, end, isStale } = opened(3);
  askAgain(queries, [['cases']]);
  await expect.poll(() => asked).toEqual(['shown 0', 'shown 1', 'shown 2']);
  end();
  expect(isStale('hidden')).toBe(true);
});

test('a long list that is shown stays, and one that is hidden is asked for from its beginning', async () => {
  const { queries, asked, end, pagesOf, isStale } = opened(4);
  askAgain(queries, [['cases']]);
  await expect.poll(() => queries.isFetching()).toBe(0);
  end();
  expect([asked, pagesOf('shown'), isStale('shown'), pagesOf('hidden'), isStale('hidden')]).toEqual([
    [],
    4,
    false,
    3,
    true,
  ]);
});
