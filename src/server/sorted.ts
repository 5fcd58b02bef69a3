import { z } from 'zod';

import type { listSort } from '../api/resources/page.ts';
import type { ListSort } from '../core/list-sort.ts';

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

/** What a cursor of a sorted list contains. */
export const sortPlace = z.strictObject({ value: z.string(), id: z.guid() });

export const OLDEST_FIRST: ListSort = { by: 'created_at', direction: 'up' };
