import { BudgetSpent } from '../../../core/errors.ts';
import type { RunLog } from '../../../core/log.ts';
import type { Emitted, RunEvent } from '../../../core/run.ts';
import { attached } from '../../runs/detach.ts';
import { lineWriter, type Line } from '../../runs/line-writer.ts';
import type { Redaction } from '../../runs/redaction.ts';
import { arrayText } from '../array-text.ts';
import type { Queries } from '../database.ts';
import { plainText } from '../plain-text.ts';
import { againAfterConflict, written } from '../written.ts';
import { keepText } from './attachments.ts';
import { leaseLost } from './lease.ts';
import { projected, trialsOf } from './project.ts';
import { eventsOf } from './read-events.ts';
import type { RunPlace } from './run-room.ts';
import { UNSEEN_RUN } from './unseen-run.ts';
import { writeTrials } from './write-trials.ts';

/** Events of one transaction. */
const MOST_EVENTS = 1000;

/** Facts that were appended at once. */
interface Append {
  readonly lines: readonly Line[];
  /** Texts put aside, by sha-256. */
  readonly texts: ReadonlyMap<string, string>;
  readonly resolve: (events: readonly RunEvent[]) => void;
  readonly reject: (error: unknown) => void;
}

export interface LogOptions {
  readonly lease: string;
  readonly lastSequence: number;
  /** budget: money is set aside only where it fits. Absent: facts tell what has happened elsewhere. */
  readonly guards?: 'budget' | undefined;
}

/** The log of one run under a lease: what is appended while a transaction runs is written by the next one. */
export function openLog(
  place: RunPlace,
  redaction: Redaction,
  { lease, lastSequence, guards }: LogOptions,
): RunLog {
  let texts = new Map<string, string>();
  const lineOf = lineWriter(redaction, (text) => {
    const aside = attached(text);
    texts.set(aside.attachment, text);
    return aside;
  });
  let sequence = lastSequence;
  let waiting: Append[] = [];
  let failure: { readonly error: unknown } | undefined;
  let isWriting = false;
  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = takeFrom(waiting);
      waiting = waiting.slice(batch.length);
      try {
        if (failure !== undefined) throw failure.error;
        await written(place.database, () =>
          againAfterConflict(() => writeBatch(place, { lease, guards }, batch)),
        );
        for (const { lines, resolve } of batch) resolve(lines.map(({ event }) => event));
      } catch (error) {
        // Of a refused fact alone nothing was written, so that its number is free again.
        if (error instanceof BudgetSpent && waiting.length === 0)
          sequence = (batch[0]?.lines[0]?.event.sequence ?? 1) - 1;
        else failure ??= { error };
        for (const { reject } of batch) reject(error);
      }
    }
    isWriting = false;
  };
  return {
    append(facts: readonly Emitted[]) {
      return new Promise((resolve, reject) => {
        if (failure !== undefined) throw failure.error;
        texts = new Map();
        const lines = facts.map((emitted, index) => lineOf({ sequence: sequence + index + 1, ...emitted }));
        sequence += lines.length;
        if (lines.length === 0) return resolve([]);
        waiting.push({ lines, texts, resolve, reject });
        if (!isWriting) void writeAll();
      });
    },
    read: (after) => eventsOf(place, after),
    // Rows are written with their events.
    writeRows() {},
    close() {
      failure ??= { error: new Error('the log is closed') };
    },
    abandon() {
      failure ??= { error: new Error('the log is closed') };
    },
  };
}

/** At least one, and as many as one transaction may have. */
function takeFrom(waiting: readonly Append[]): readonly Append[] {
  let events = 0;
  const end = waiting.findIndex(({ lines }) => (events += lines.length) > MOST_EVENTS);
  return end < 0 ? waiting : waiting.slice(0, Math.max(1, end));
}

async function writeBatch(
  place: RunPlace,
  { lease, guards }: Pick<LogOptions, 'lease' | 'guards'>,
  batch: readonly Append[],
): Promise<void> {
  const { database, id, fold } = place;
  const lines = batch.flatMap((append) => append.lines);
  const [first, last] = [lines[0]?.event.sequence ?? 0, lines.at(-1)?.event.sequence ?? 0];
  const events = lines.map(({ event }) => event);
  await database.transaction(async (queries) => {
    // Sent together: each answer that is waited for takes as long as writing a few facts.
    const [[run], known] = await Promise.all([
      queries.query<{ tally: string | null; spent_usd: number; reserved_usd: number }>(
        `select tally, spent_usd, reserved_usd from run where id = $1 and lease_id = $2 and last_sequence = $3
         for update`,
        [id, lease, first - 1],
      ),
      trialsOf(queries, id, events),
    ]);
    if (run === undefined) throw leaseLost(id);
    if (guards === 'budget') await setAside(queries, id, setAsideIn(events));
    // All runs keep texts in one order: two that wait for each other's text would deadlock.
    const texts = new Map(batch.flatMap((append) => [...append.texts]));
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
    await Promise.all([
      ...writeTrials(queries, id, known),
      insertEvents(queries, { id, lease }, lines),
      queries.query(UPDATE_RUN, [id, last, ...changes, after.state ?? null]),
    ]);
  });
}

function setAsideIn(events: readonly RunEvent[]): number {
  return events.reduce(
    (sum, { fact }) => sum + ((fact.type === 'run-state' ? fact.money?.setAsideUsd : undefined) ?? 0),
    0,
  );
}

/** The row is locked, so that of several processes only one can have the rest of the budget. Throws `BudgetSpent`. */
async function setAside({ query }: Queries, id: string, usd: number): Promise<void> {
  if (usd === 0) return;
  const [fits] = await query(
    `update run set reserved_usd = reserved_usd + $2
     where id = $1 and (budget_usd is null or spent_usd + reserved_usd + $2 <= budget_usd + 1e-9) returning id`,
    [id, usd],
  );
  if (fits === undefined) throw new BudgetSpent(`the budget of the run ${id} has no $${usd} left`);
}

const UNCHANGED = [null, null, null];

const UPDATE_RUN = `
  update run set last_sequence = $2, tally = coalesce($3::text::json, tally), spent_usd = coalesce($4, spent_usd),
    reserved_usd = coalesce($5, reserved_usd), state = coalesce($6, state)
  where id = $1`;

function insertEvents(
  { query }: Queries,
  { id, lease }: { readonly id: string; readonly lease: string },
  lines: readonly Line[],
): Promise<unknown> {
  const events = lines.map(({ event }) => event);
  return query(INSERT_EVENTS, [
    id,
    lease,
    arrayText(events.map(({ sequence }) => sequence)),
    arrayText(events.map(({ at }) => plainText(at))),
    arrayText(events.map(({ fact }) => fact.type)),
    arrayText(events.map(({ trial }) => (trial === undefined ? '' : plainText(trial)))),
    arrayText(events.map(({ attempt }) => attempt ?? '')),
    lines.map(factOf).join('\n'),
  ]);
}

/** JSON has no line breaks. */
const INSERT_EVENTS = `
  insert into run_event (run_id, sequence, at, type, trial_number, trial_key, attempt, fact, lease)
  select $1, event.sequence, event.at, event.type, trial.number, nullif(event.key, ''), nullif(event.attempt, '')::int,
    event.fact::json, $2::uuid
  from unnest($3::text::bigint[], $4::text::text[], $5::text::text[], $6::text::text[], $7::text::text[],
    string_to_array($8::text, E'\\n')) as event (sequence, at, type, key, attempt, fact)
  left join trial on trial.run_id = ${UNSEEN_RUN} and trial.key = event.key`;

/** A row is put into JSON once. */
function factOf({ event, row }: Line): string {
  return row === undefined ? JSON.stringify(event.fact) : `{"type":"trial-end","row":${row.trimEnd()}}`;
}
