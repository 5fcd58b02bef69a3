import type { Row } from '../../../core/run.ts';
import { noStatuses, type StatusCounts } from '../../../core/verdict.ts';
import { laterRowNumbers, type WrittenRow } from '../../runs/row-numbers.ts';
import type { Parameter } from '../database.ts';
import { plainText } from '../plain-text.ts';
import { inWindows } from './event-windows.ts';
import { endsOf } from './read-events.ts';
import type { RunPlace } from './run-room.ts';

/** Ends that do not count for this process any more: of trials that it runs again, by their keys. */
export type VoidEnds = ReadonlyMap<string, number>;

interface KeptRow extends Readonly<Record<string, unknown>> {
  readonly key: string;
  readonly number: number;
  readonly ended_sequence: number;
  readonly row: string;
}

/** One row a trial, in the order of their ends. */
export async function* rowsOf(place: RunPlace, voidEnds: VoidEnds, selected?: Selected): AsyncGenerator<Row> {
  for await (const { row, key, ended } of endedRows(place, selected))
    if (voidEnds.get(key) !== ended) yield row;
}

/** The same with the key of their trial, and the event that ended it. */
export async function* endedRows(
  place: RunPlace,
  { where = 'true', parameters = [], after = 0 }: Selected = {},
): AsyncGenerator<{ readonly row: Row; readonly key: string; readonly ended: number }> {
  const numbered = laterRowNumbers(() => endsOf(place));
  // A trial that ends again in the meantime moves behind the others.
  const given = new Set<number>();
  const sql = `select key, number, ended_sequence, row from trial
    where run_id = $1 and ended_sequence > $2 and ended_sequence <= $3 and ${where} order by ended_sequence limit $4`;
  const rows = inWindows(place, after, {
    read: (window) =>
      place.database.query<KeptRow>(sql, [place.id, window.after, window.until, window.limit, ...parameters]),
    sequenceOf: ({ ended_sequence: ended }) => ended,
  });
  for await (const { key, number, ended_sequence: ended, row } of rows) {
    if (given.has(number)) continue;
    given.add(number);
    yield { key, ended, row: await numbered(JSON.parse(row) as WrittenRow) };
  }
}

interface Selected {
  readonly where?: string;
  /** From $5 on. */
  readonly parameters?: readonly Parameter[];
  /** Only those that ended behind this event. */
  readonly after?: number;
}

export async function* rowsOfCases(
  place: RunPlace,
  voidEnds: VoidEnds,
  caseIds: ReadonlySet<string>,
): AsyncGenerator<Row> {
  const parameters = [[...caseIds].map(plainText)];
  for await (const row of rowsOf(place, voidEnds, { where: 'case_key = any($5::text[])', parameters })) {
    if (caseIds.has(row.caseId)) yield row;
  }
}

export async function countsOf(place: RunPlace, voidEnds: VoidEnds): Promise<StatusCounts> {
  const counts: Record<string, number> = { ...noStatuses };
  if (voidEnds.size > 0) {
    for await (const { status } of rowsOf(place, voidEnds)) counts[status] = (counts[status] ?? 0) + 1;
  } else {
    const rows = await place.database.query<{ status: string; trials: number }>(
      'select status, count(*) as trials from trial where run_id = $1 and verdict is not null group by status',
      [place.id],
    );
    for (const { status, trials } of rows) counts[status] = trials;
  }
  return counts as StatusCounts;
}
