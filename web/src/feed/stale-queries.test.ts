import { QueryClient, type InfiniteData } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import { staleQueries } from './stale-queries.ts';

const listOf = (pages: number): InfiniteData<string> => ({
  pages: Array.from({ length: pages }, (_, at) => `page ${at}`),
  pageParams: Array.from({ length: pages }, (_, at) => at),
});

test('after a broken feed a long list keeps its first pages and is asked for again', async () => {
  const queries = new QueryClient();
  queries.setQueryData(['trials', 'r'], listOf(5));
  queries.setQueryData(['trials', 's'], listOf(2));
  const stale = staleQueries(queries);
  stale.addAll();
  const isStale = (run: string) => queries.getQueryState(['trials', run])?.isInvalidated;
  await expect.poll(() => [isStale('r'), isStale('s')]).toEqual([true, true]);
  stale.end();
  expect(queries.getQueryData(['trials', 'r'])).toEqual(listOf(3));
  expect(queries.getQueryData(['trials', 's'])).toEqual(listOf(2));
});

test('while the feed goes on, a long list stays as it is', async () => {
  const queries = new QueryClient();
  queries.setQueryData(['trials', 'r'], listOf(5));
  queries.setQueryData(['run', 'r'], {});
  const stale = staleQueries(queries);
  stale.add([
    ['trials', 'r'],
    ['run', 'r'],
  ]);
  await expect.poll(() => queries.getQueryState(['run', 'r'])?.isInvalidated).toBe(true);
  stale.end();
  expect(queries.getQueryState(['trials', 'r'])?.isInvalidated).toBe(false);
  expect(queries.getQueryData(['trials', 'r'])).toEqual(listOf(5));
});
