import type { Database } from '../../src/storage/database/database.ts';

/** Resolves when the clock of the database shows another time: that of the embedded one counts milliseconds. */
export async function nextMoment({ query }: Database): Promise<void> {
  const before = await shownTime(query);
  while ((await shownTime(query)) === before);
}

async function shownTime(query: Database['query']): Promise<unknown> {
  const [row] = await query('select clock_timestamp()::text as shown');
  return row?.['shown'];
}
