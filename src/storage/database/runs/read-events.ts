import type { RunEvent } from '../../../core/run.ts';
import type { Ends } from '../../../core/run-store.ts';
import { given } from '../../../lib/given.ts';
import { endsCollector } from '../../runs/ends-collector.ts';
import { rowlessFilter } from '../../runs/rowless-filter.ts';
import { laterRowNumbers } from '../../runs/row-numbers.ts';
import type { Parameter, Queries } from '../database.ts';
import { inWindows } from './event-windows.ts';
import type { RunPlace } from './run-room.ts';

interface KeptEvent extends Readonly<Record<string, unknown>> {
  readonly sequence: number;
  readonly at: string;
  readonly type: string;
  readonly trial_key: string | null;
  readonly attempt: number | null;
  readonly fact: string | null;
}

/** Events with a higher sequence than `after`, in order. */
export async function* eventsOf(place: RunPlace, after = 0): AsyncGenerator<RunEvent> {
  const numbered = laterRowNumbers(() => endsOf(place));
  for await (const kept of pages(place, { fact: 'fact', where: 'true', after })) {
    const event = eventOf(kept);
    if (event.fact.type !== 'trial-end') {
      yield event;
      continue;
    }
    const row = await numbered(event.fact.row);
    yield row === event.fact.row ? event : { ...event, fact: { type: 'trial-end', row } };
  }
}

/** A page of events as they were written: rows of earlier versions have no number. */
export async function eventsIn(
  { query }: Queries,
  run: string,
  { after, most }: { readonly after: number; readonly most: number },
): Promise<readonly RunEvent[]> {
  const page = await query<KeptEvent>(
    `select sequence, at, type, trial_key, attempt, fact from run_event
     where run_id = $1 and sequence > $2 and sequence <= $3 order by sequence`,
    [run, after, after + most],
  );
  return page.map(eventOf);
}

/** The events of some trials, and resumptions. */
export async function* eventsOfTrials(place: RunPlace, keys: ReadonlySet<string>): AsyncGenerator<RunEvent> {
  // Each part has an index of its own.
  const from = `(select * from run_event where run_id = $1 and trial_key = any($5::text[])
    union all select * from run_event where run_id = $1 and trial_key is null and type = 'run-resume') as run_event`;
  for await (const kept of pages(place, { fact: 'fact', from, where: 'true', parameters: [[...keys]] }))
    yield eventOf(kept);
}

/** What the log tells of the run as a whole. */
export async function wholeEvents(place: RunPlace, after: number): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  const where = 'trial_key is null';
  for await (const kept of pages(place, { fact: 'fact', where, after })) events.push(eventOf(kept));
  return events;
}

/** What the log tells of the run as a whole, and notes of trials that had ended. */
export async function* eventsRowlessEvents(place: RunPlace): AsyncGenerator<RunEvent> {
  const isRowless = rowlessFilter();
  const fact = `case when trial_key is null or type = 'note' then fact end`;
  for await (const kept of pages(place, { fact, where: OF_ENDS })) {
    const { trial_key: trial, type } = kept;
    if (isRowless(trial === null ? { type } : { type, trial })) yield eventOf(kept);
  }
}

export async function endsOf(place: RunPlace): Promise<Ends> {
  const { add, ends } = endsCollector();
  const fact = `case when type = 'run-resume' then fact end`;
  const where = `${OF_ENDS} and type in ('trial-end', 'run-resume')`;
  for await (const kept of pages(place, { fact, where })) {
    const { sequence, trial_key: trial, type } = kept;
    const told = kept.fact === null ? undefined : (JSON.parse(kept.fact) as { dropped?: readonly string[] });
    add({ sequence, type, ...given({ trial: trial ?? undefined, dropped: told?.dropped }) });
  }
  return ends;
}

/** As its index says it. */
const OF_ENDS = `(trial_key is null or type in ('note', 'trial-start', 'trial-end'))`;

interface Selected {
  /** What is read of the documents. */
  readonly fact: string;
  readonly where: string;
  /** Absent: the log. */
  readonly from?: string;
  /** From $5 on. */
  readonly parameters?: readonly Parameter[];
  readonly after?: number;
}

function pages(
  place: RunPlace,
  { fact, from = 'run_event', where, parameters = [], after = 0 }: Selected,
): AsyncGenerator<KeptEvent> {
  const sql = `select sequence, at, type, trial_key, attempt, ${fact} as fact from ${from}
    where run_id = $1 and sequence > $2 and sequence <= $3 and ${where} order by sequence limit $4`;
  return inWindows(place, after, {
    read: ({ after: first, until, limit }) =>
      place.database.query<KeptEvent>(sql, [place.id, first, until, limit, ...parameters]),
    sequenceOf: ({ sequence }) => sequence,
  });
}

function eventOf({ sequence, at, trial_key: trial, attempt, fact }: KeptEvent): RunEvent {
  return {
    sequence,
    at,
    ...(trial === null ? {} : { trial }),
    ...(attempt === null ? {} : { attempt }),
    fact: JSON.parse(fact ?? 'null') as RunEvent['fact'],
  };
}
