import { z } from 'zod';

import type { listSort } from '../api/resources/page.ts';
import type { QueryOf } from '../api/route.ts';
import type { Table } from '../api/table.ts';
import type { KeptHead } from '../core/kept-head.ts';
import type { ListSort, SortedPage } from '../core/list-sort.ts';
import { pageBehind } from './pages.ts';

/** The order that `sort` names; undefined: that of the store. */
export function sortIn(sort: z.infer<typeof listSort>): ListSort | undefined {
  if (sort === undefined) return undefined;
  const isDown = sort.startsWith('-');
  return { by: (isDown ? sort.slice(1) : sort) as ListSort['by'], direction: isDown ? 'down' : 'up' };
}

interface Sorted {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
}

/** The value of an item that sorts it. */
export function sortedValue({ createdAt, updatedAt, name }: Sorted, { by }: ListSort): string {
  return { created_at: createdAt, updated_at: updatedAt, name }[by];
}

const OLDEST_FIRST: ListSort = { by: 'created_at', direction: 'up' };

/** What a filter `archived` means; undefined: archived or not. */
export function isArchivedIn(archived: 'false' | 'true' | 'any'): boolean | undefined {
  return archived === 'any' ? undefined : archived === 'true';
}

/** A page of the agents or the sets of the store. */
export async function namedPage(
  query: QueryOf<Table['listAgents' | 'listCaseSets']>,
  store: { list(page: SortedPage): Promise<readonly KeptHead[]> },
) {
  const sort = sortIn(query.sort) ?? OLDEST_FIRST;
  const isArchived = isArchivedIn(query.archived);
  const page = await pageBehind(query, {
    place: z.strictObject({ value: z.string(), id: z.guid() }),
    placeOf: (kept: KeptHead) => ({ value: sortedValue(kept, sort), id: kept.id }),
    read: (limit, after) => store.list({ limit, after, isArchived, sort }),
  });
  return { ...page, data: page.data.map(namedResource) };
}

/** An agent or a set as the API shows it. */
export function namedResource({ createdAt, updatedAt, archivedAt, ...rest }: KeptHead) {
  return { ...rest, archived_at: archivedAt, created_at: createdAt, updated_at: updatedAt };
}
