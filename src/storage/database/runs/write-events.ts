import type { Line } from '../../runs/line-writer.ts';
import { arrayText } from '../array-text.ts';
import type { Queries } from '../database.ts';
import { plainText } from '../plain-text.ts';
import { keepText } from './attachments.ts';
import { projected, type Trials } from './project.ts';
import type { RunDigests } from './run-digests.ts';
import type { RunPlace } from './run-room.ts';
import { UNSEEN_RUN } from './unseen-run.ts';
import { lastDigestOf, writeTrials } from './write-trials.ts';

/** A numbered line, and the lease that it is written under. */
export interface LeasedLine {
  readonly line: Line;
  readonly lease: string;
}

/** The columns of a locked run that events change. */
export interface RunColumns extends Readonly<Record<string, unknown>> {
  readonly tally: string | null;
  readonly spent_usd: number;
  readonly reserved_usd: number;
}

export interface WrittenEvents {
  /** At least one. */
  readonly lines: readonly LeasedLine[];
  /** Texts put aside, by sha-256. */
  readonly texts: ReadonlyMap<string, string>;
  readonly run: RunColumns;
  /** The trials that the events tell of. */
  readonly known: Trials;
  readonly digests: RunDigests;
}

/**
 * Writes events and what they come to, in a transaction that has locked their run. Resolves to statements that are sent,
 * but not waited for.
 */
export async function writeEvents(
  { id, fold }: Pick<RunPlace, 'id' | 'fold'>,
  queries: Queries,
  { lines, texts, run, known, digests }: WrittenEvents,
): Promise<readonly Promise<unknown>[]> {
  const events = lines.map(({ line }) => line.event);
  // All runs keep texts in one order: two that wait for each other's text would deadlock.
  for (const sha256 of [...texts.keys()].toSorted())
    await keepText(queries, id, { sha256, text: texts.get(sha256) ?? '' });
  const before = {
    tally: run.tally === null ? fold.empty : (JSON.parse(run.tally) as unknown),
    spentUsd: run.spent_usd,
    reservedUsd: run.reserved_usd,
  };
  const after = projected(known, events, { fold, before });
  const changes =
    after === before ? UNCHANGED : [JSON.stringify(after.tally), after.spentUsd, after.reservedUsd];
  const last = events.at(-1)?.sequence ?? 0;
  const trials = { ...known, digests: await digests.upTo(queries, lastDigestOf(known)) };
  return [
    ...writeTrials(queries, id, trials),
    insertEvents(queries, id, lines),
    queries.query(UPDATE_RUN, [id, last, ...changes, after.state ?? null], { preparedAs: 'update-run' }),
  ];
}

const UNCHANGED = [null, null, null];

const UPDATE_RUN = `
  update run set last_sequence = $2, tally = coalesce($3::text::json, tally), spent_usd = coalesce($4, spent_usd),
    reserved_usd = coalesce($5, reserved_usd), state = coalesce($6, state)
  where id = $1`;

function insertEvents({ query }: Queries, id: string, lines: readonly LeasedLine[]): Promise<unknown> {
  const events = lines.map(({ line }) => line.event);
  const columns = [
    id,
    arrayText(lines.map(({ lease }) => lease)),
    arrayText(events.map(({ sequence }) => sequence)),
    arrayText(events.map(({ at }) => plainText(at))),
    arrayText(events.map(({ fact }) => fact.type)),
    arrayText(events.map(({ trial }) => (trial === undefined ? '' : plainText(trial)))),
    arrayText(events.map(({ attempt }) => attempt ?? '')),
    lines.map(({ line }) => factOf(line)).join('\n'),
  ];
  return query(INSERT_EVENTS, columns, { preparedAs: 'write-events' });
}

/** JSON has no line breaks. */
const INSERT_EVENTS = `
  insert into run_event (run_id, sequence, at, type, trial_number, trial_key, attempt, fact, lease)
  select $1, event.sequence, event.at, event.type, trial.number, nullif(event.key, ''), nullif(event.attempt, '')::int,
    event.fact::json, event.lease::uuid
  from unnest($2::text::text[], $3::text::bigint[], $4::text::text[], $5::text::text[], $6::text::text[],
    $7::text::text[], string_to_array($8::text, E'\\n'))
    as event (lease, sequence, at, type, key, attempt, fact)
  left join trial on trial.run_id = ${UNSEEN_RUN} and trial.key = event.key`;

/** A row is put into JSON once. */
function factOf({ event, row }: Line): string {
  return row === undefined ? JSON.stringify(event.fact) : `{"type":"trial-end","row":${row.trimEnd()}}`;
}
