import { BudgetSpent } from '../../../core/errors.ts';
import type { RunLog } from '../../../core/log.ts';
import type { Emitted, RunEvent } from '../../../core/run.ts';
import { attached } from '../../runs/detach.ts';
import { lineWriter, type Line } from '../../runs/line-writer.ts';
import type { Redaction } from '../../runs/redaction.ts';
import type { Queries } from '../database.ts';
import { againAfterConflict, written } from '../written.ts';
import { leaseLost } from './lease.ts';
import { trialsOf } from './project.ts';
import { eventsOf } from './read-events.ts';
import { type RunDigests, runDigests } from './run-digests.ts';
import type { RunPlace } from './run-room.ts';
import { type RunColumns, writeEvents } from './write-events.ts';

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
  const digests = runDigests(place.id);
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
          againAfterConflict(() => writeBatch(place, { lease, guards, digests }, batch)),
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

interface Writing extends Pick<LogOptions, 'lease' | 'guards'> {
  readonly digests: RunDigests;
}

async function writeBatch(
  place: RunPlace,
  { lease, guards, digests }: Writing,
  batch: readonly Append[],
): Promise<void> {
  const { database, id } = place;
  const lines = batch.flatMap((append) => append.lines);
  const first = lines[0]?.event.sequence ?? 0;
  const events = lines.map(({ event }) => event);
  await database.transaction(async (queries, last) => {
    // Sent together: each answer that is waited for takes as long as writing a few facts.
    const [[run], known] = await Promise.all([
      queries.query<RunColumns>(
        `select tally, spent_usd, reserved_usd from run where id = $1 and lease_id = $2 and last_sequence = $3
         for no key update`,
        [id, lease, first - 1],
        { preparedAs: 'lock-run' },
      ),
      trialsOf(queries, id, events),
    ]);
    if (run === undefined) throw leaseLost(id);
    if (guards === 'budget') await setAside(queries, id, setAsideIn(events));
    const texts = new Map(batch.flatMap((append) => [...append.texts]));
    const leased = { lines: lines.map((line) => ({ line, lease })), texts, run, known, digests };
    last(await writeEvents(place, queries, leased));
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
