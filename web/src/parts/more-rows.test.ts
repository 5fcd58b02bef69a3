import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import { moreOf } from './more-rows.tsx';

test('a page that failed is not asked for by itself', async () => {
  let isBroken = true;
  const asked: number[] = [];
  const list = new InfiniteQueryObserver(new QueryClient(), {
    queryKey: ['cases'],
    retry: false,
    queryFn: async ({ pageParam }: { readonly pageParam: number }) => {
      asked.push(pageParam);
      if (isBroken && pageParam > 0) throw new Error('gone');
      return pageParam;
    },
    initialPageParam: 0,
    getNextPageParam: (last: number) => (last < 1 ? last + 1 : undefined),
  });
  // As a table does on every draw.
  const end = list.subscribe((result) => moreOf(result)?.());
  await expect.poll(() => list.getCurrentResult().isFetchNextPageError).toBe(true);
  expect([asked, moreOf(list.getCurrentResult())]).toEqual([[0, 1], undefined]);
  isBroken = false;
  await list.fetchNextPage();
  end();
  expect([asked, list.getCurrentResult().data?.pages]).toEqual([
    [0, 1, 1],
    [0, 1],
  ]);
});
