import type { RunPlace } from './run-room.ts';

/** Most rows of one query. */
const MOST_ROWS = 1000;

/** Rows that a query should give. */
const PAGE = MOST_ROWS / 2;

/** How much wider or narrower a window may be than the one before. */
const MOST_CHANGE = 16;

/** A range of events, without the first one. */
export interface EventWindow {
  readonly after: number;
  readonly until: number;
  readonly limit: number;
}

/**
 * Reads rows in the order of their events, a range of events at a time. With a limit alone, the database sorts all
 * rows of a run for each page when it expects few of them, as it does before it has analyzed the tables.
 */
export async function* inWindows<Row>(
  { database, id }: Pick<RunPlace, 'database' | 'id'>,
  after: number,
  {
    read,
    sequenceOf,
  }: {
    readonly read: (window: EventWindow) => Promise<readonly Row[]>;
    readonly sequenceOf: (row: Row) => number;
  },
): AsyncGenerator<Row> {
  let width = PAGE;
  let last = await lastSequence();
  for (let from = after; from < last;) {
    // No further than what is written: an event that comes while the page is used would be left out.
    const until = Math.min(from + width, last);
    const page = await read({ after: from, until, limit: MOST_ROWS });
    yield* page;
    const end = page.length < MOST_ROWS ? undefined : page.at(-1);
    from = end === undefined ? until : sequenceOf(end);
    width = Math.ceil(width * changeFor(page.length));
    // Asked after the page: a row that has moved since then comes before this event.
    if (from >= last) last = await lastSequence();
  }
  async function lastSequence(): Promise<number> {
    const [run] = await database.query<{ last: number }>(
      'select last_sequence as last from run where id = $1',
      [id],
    );
    return run?.last ?? 0;
  }
}

function changeFor(rows: number): number {
  return Math.min(MOST_CHANGE, Math.max(1 / MOST_CHANGE, PAGE / Math.max(1, rows)));
}
