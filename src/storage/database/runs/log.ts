import type { RunLog } from '../../../core/log.ts';
import type { Emitted, RunEvent } from '../../../core/run.ts';
import { attached } from '../../runs/detach.ts';
import { lineWriter, type Line } from '../../runs/line-writer.ts';
import type { Redaction } from '../../runs/redaction.ts';
import type { Queries } from '../database.ts';
import { plainText } from '../plain-text.ts';
import { againAfterConflict, written } from '../written.ts';
import { keepText } from './attachments.ts';
import { leaseLost } from './lease.ts';
import { project } from './project.ts';
import { eventsOf } from './read-events.ts';
import type { RunPlace } from './run-room.ts';

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

/** The log of one run under a lease: what is appended while a transaction runs is written by the next one. */
export function openLog(
  place: RunPlace,
  redaction: Redaction,
  { lease, lastSequence }: { readonly lease: string; readonly lastSequence: number },
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
        await written(place.database, () => againAfterConflict(() => writeBatch(place, lease, batch)));
        for (const { lines, resolve } of batch) resolve(lines.map(({ event }) => event));
      } catch (error) {
        failure ??= { error };
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

async function writeBatch(place: RunPlace, lease: string, batch: readonly Append[]): Promise<void> {
  const { database, id, fold } = place;
  const lines = batch.flatMap((append) => append.lines);
  const [first, last] = [lines[0]?.event.sequence ?? 0, lines.at(-1)?.event.sequence ?? 0];
  await database.transaction(async (queries) => {
    const [run] = await queries.query<{ tally: string | null; spent_usd: number; reserved_usd: number }>(
      `update run set last_sequence = $4 where id = $1 and lease_id = $2 and last_sequence = $3
       returning tally, spent_usd, reserved_usd`,
      [id, lease, first - 1, last],
    );
    if (run === undefined) throw leaseLost(id);
    // All runs keep texts in one order: two that wait for each other's text would deadlock.
    const texts = new Map(batch.flatMap((append) => [...append.texts]));
    for (const sha256 of [...texts.keys()].toSorted())
      await keepText(queries, id, { sha256, text: texts.get(sha256) ?? '' });
    const before = {
      tally: run.tally === null ? fold.empty : (JSON.parse(run.tally) as unknown),
      spentUsd: run.spent_usd,
      reservedUsd: run.reserved_usd,
    };
    const after = await project(
      queries,
      lines.map(({ event }) => event),
      { run: id, fold, before },
    );
    await insertEvents(queries, { id, lease }, lines);
    if (after === before) return;
    await queries.query(
      'update run set tally = $2::text::json, spent_usd = $3, reserved_usd = $4 where id = $1',
      [id, JSON.stringify(after.tally), after.spentUsd, after.reservedUsd],
    );
  });
}

async function insertEvents(
  { query }: Queries,
  { id, lease }: { readonly id: string; readonly lease: string },
  lines: readonly Line[],
): Promise<void> {
  const events = lines.map(({ event }) => event);
  await query(INSERT_EVENTS, [
    id,
    lease,
    events.map(({ sequence }) => sequence),
    events.map(({ at }) => plainText(at)),
    events.map(({ fact }) => fact.type),
    events.map(({ trial }) => (trial === undefined ? null : plainText(trial))),
    events.map(({ attempt }) => attempt ?? null),
    lines.map(factOf),
  ]);
}

const INSERT_EVENTS = `
  insert into run_event (run_id, sequence, at, type, trial_number, trial_key, attempt, fact, lease)
  select $1, event.sequence, event.at, event.type, trial.number, event.key, event.attempt, event.fact::json, $2::uuid
  from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::int[], $8::text[])
    as event (sequence, at, type, key, attempt, fact)
  left join trial on trial.run_id = $1 and trial.key = event.key`;

/** A row is put into JSON once. */
function factOf({ event, row }: Line): string {
  return row === undefined ? JSON.stringify(event.fact) : `{"type":"trial-end","row":${row.trimEnd()}}`;
}
