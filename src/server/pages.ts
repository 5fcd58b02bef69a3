import { createHash } from 'node:crypto';

import type { z } from 'zod';

import { Refusal } from './refusal.ts';

/** The start of a page, as a cursor contains it. */
interface Start {
  /** Digest of the filters, so that a cursor is refused for another list. */
  readonly of: string;
  /** Place of the last item of the previous page. */
  readonly after: string;
}

/** A part of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

interface Asked {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The place of an item in a sorted list: the values that sort it. */
export type Place = readonly (number | null)[];

/** The order of a list, so that a page continues behind an item that has left the list. */
export interface PageOrder<Item> {
  placeOf(item: Item, index: number): Place;
  /** Positive: `left` comes after `right`. */
  compare(left: Place, right: Place): number;
}

/** The order of a list that only grows at its end. */
export const byIndex: PageOrder<unknown> = {
  placeOf: (_item, index) => [index],
  compare: ([left], [right]) => (left ?? 0) - (right ?? 0),
};

/** A page of a list that is sorted in this order. */
export function pageFrom<Item>(
  items: readonly Item[],
  asked: Asked,
  { placeOf, compare }: PageOrder<NoInfer<Item>>,
): Page<Item> {
  const of = filtersOf(asked);
  const after = asked.cursor === undefined ? undefined : placeIn(startOf(asked.cursor, of));
  const found = after === undefined ? 0 : items.findIndex((item, i) => compare(placeOf(item, i), after) > 0);
  const start = found === -1 ? items.length : found;
  const data = items.slice(start, start + asked.limit);
  const last = data.at(-1);
  const end = start + data.length;
  if (last === undefined || end >= items.length) return { data, next_cursor: null };
  return { data, next_cursor: cursorOf({ of, after: JSON.stringify(placeOf(last, end - 1)) }) };
}

function placeIn(text: string): Place {
  const read = parsed(text);
  const isPlace = Array.isArray(read) && read.every((value) => value === null || typeof value === 'number');
  if (!isPlace) throw invalidCursor();
  return read as Place;
}

/** A list of the store, read in parts, each behind the place of an item. */
interface ReadInParts<Item, Where> {
  /** What a cursor of it contains. */
  readonly place: z.ZodType<Where>;
  placeOf(item: Item): Where;
  /** At most so many items. */
  read(limit: number, after: Where | undefined): Promise<readonly Item[]>;
}

/** A page of a list that the store sorts. */
export async function pageBehind<Item, Where>(
  asked: Asked,
  { place, placeOf, read }: ReadInParts<Item, Where>,
): Promise<Page<Item>> {
  const of = filtersOf(asked);
  const after = asked.cursor === undefined ? undefined : place.safeParse(parsed(startOf(asked.cursor, of)));
  if (after?.success === false) throw invalidCursor();
  const found = await read(asked.limit + 1, after?.data);
  const data = found.slice(0, asked.limit);
  const last = data.at(-1);
  if (last === undefined || found.length <= asked.limit) return { data, next_cursor: null };
  return { data, next_cursor: cursorOf({ of, after: JSON.stringify(placeOf(last)) }) };
}

function filtersOf({ limit: _limit, cursor: _cursor, ...filters }: Asked): string {
  return createHash('sha256').update(JSON.stringify(filters)).digest('base64url').slice(0, 12);
}

function cursorOf({ of, after }: Start): string {
  return Buffer.from(JSON.stringify([of, after])).toString('base64url');
}

function startOf(cursor: string, of: string): string {
  const read = parsed(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(read) || typeof read[0] !== 'string' || typeof read[1] !== 'string') {
    throw invalidCursor();
  }
  if (read[0] !== of) {
    throw new Refusal(400, {
      code: 'cursor-mismatch',
      message: 'the cursor belongs to a list with other filters',
      param: 'cursor',
      hint: 'when filters change, request the first page without a cursor',
    });
  }
  return read[1];
}

function invalidCursor(): Refusal {
  return new Refusal(400, {
    code: 'invalid-cursor',
    message: 'the cursor was not created by this server',
    param: 'cursor',
    hint: 'use `next_cursor` of the previous page, unchanged',
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
