import { type QueryKey, queryOptions, useInfiniteQuery } from '@tanstack/react-query';

import type { Asked, JsonOperation } from '../../src/api/client.ts';
import type { AnswerOf } from '../../src/api/route.ts';
import type { Table } from '../../src/api/table.ts';
import { api } from './api.ts';

/** Options of a query for the answer of an operation. */
export function asked<Op extends JsonOperation>(
  queryKey: QueryKey,
  place: Table[Op]['path'],
  request: Asked<Op>,
) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => api<Op>(place, request, { signal }) });
}

interface Page {
  readonly next_cursor: string | null;
}

/** The operations that answer with a page of a list. */
type PagedOperation = {
  [Op in JsonOperation]: AnswerOf<Table[Op]> extends Page ? Op : never;
}[JsonOperation];

type Cursor = { readonly cursor?: string };
const first: Cursor = {};

/** Options of a query for a list that is loaded page by page. */
export function askedPages<Op extends PagedOperation>(
  queryKey: QueryKey,
  place: Table[Op]['path'],
  { path, query }: Asked<Op>,
) {
  return {
    queryKey,
    queryFn: ({ pageParam, signal }: { readonly pageParam: Cursor; readonly signal: AbortSignal }) =>
      api<Op>(place, { path, query: { ...query, ...pageParam } } as Asked<Op>, { signal }),
    initialPageParam: first,
    getNextPageParam: ({ next_cursor: cursor }: Page) => (cursor === null ? undefined : { cursor }),
  };
}

/** A list that is loaded page by page. */
export function usePages<Op extends PagedOperation>(...request: Parameters<typeof askedPages<Op>>) {
  return useInfiniteQuery(askedPages<Op>(...request));
}
