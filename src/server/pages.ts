import { createHash } from 'node:crypto';

import { Refusal } from './refusal.ts';

/** The start of a page, as a cursor contains it. */
interface Place {
  /** Digest of the filters, so that a cursor is refused for another list. */
  readonly of: string;
  /** Id of the last item of the previous page. */
  readonly after: string;
}

interface Asked {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of a sorted list. `idOf` gives an id that stays the same when items are added. */
export function pageFrom<Item>(
  items: readonly Item[],
  asked: Asked,
  idOf: (item: Item) => string,
): { readonly data: readonly Item[]; readonly next_cursor: string | null } {
  const of = filtersOf(asked);
  const after = asked.cursor === undefined ? undefined : placeOf(asked.cursor, of);
  const start = after === undefined ? 0 : items.findIndex((item) => idOf(item) === after) + 1;
  const data = items.slice(start, start + asked.limit);
  const last = data.at(-1);
  const more = start + asked.limit < items.length;
  return { data, next_cursor: more && last !== undefined ? cursorOf({ of, after: idOf(last) }) : null };
}

/** The ids to search, in order. `isPast`: whether an id comes after that of a cursor. */
interface Ordered {
  readonly ids: readonly string[];
  isPast(id: string, after: string): boolean;
}

/** A page of the items found under ids. It reads only as many as it needs. */
export async function pageFound<Item extends { readonly id: string }>(
  { ids, isPast }: Ordered,
  asked: Asked,
  find: (id: string) => Promise<Item | undefined>,
): Promise<{ readonly data: readonly Item[]; readonly next_cursor: string | null }> {
  const of = filtersOf(asked);
  const after = asked.cursor === undefined ? undefined : placeOf(asked.cursor, of);
  const data: Item[] = [];
  for (const id of ids) {
    if (after !== undefined && !isPast(id, after)) continue;
    const item = await find(id);
    if (item === undefined) continue;
    const last = data.at(-1);
    if (last !== undefined && data.length === asked.limit) {
      return { data, next_cursor: cursorOf({ of, after: last.id }) };
    }
    data.push(item);
  }
  return { data, next_cursor: null };
}

function filtersOf({ limit: _limit, cursor: _cursor, ...filters }: Asked): string {
  return createHash('sha256').update(JSON.stringify(filters)).digest('base64url').slice(0, 12);
}

function cursorOf(place: Place): string {
  return Buffer.from(JSON.stringify([place.of, place.after])).toString('base64url');
}

function placeOf(cursor: string, of: string): string {
  const read = parsed(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(read) || typeof read[0] !== 'string' || typeof read[1] !== 'string') {
    throw new Refusal(400, {
      code: 'invalid-cursor',
      message: 'the cursor was not created by this server',
      param: 'cursor',
      hint: 'use `next_cursor` of the previous page, unchanged',
    });
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
