import { BudgetSpent } from '../../../core/errors.ts';
import type { Emitted, Fact, RunEvent } from '../../../core/run.ts';
import { round9 } from '../../../lib/text/decimals.ts';
import { attached } from '../../runs/detach.ts';
import { lineWriter, type Line } from '../../runs/line-writer.ts';
import type { Redaction } from '../../runs/redaction.ts';
import type { Queries } from '../database.ts';
import { againAfterConflict, written } from '../written.ts';
import { leaseLost } from './lease.ts';
import { trialsOf } from './project.ts';
import { eventsIn } from './read-events.ts';
import { type RunDigests, runDigests } from './run-digests.ts';
import type { RunPlace } from './run-room.ts';
import { type LeasedLine, type RunColumns, writeEvents } from './write-events.ts';

/** The log of a run that several processes write: events get their numbers when they are written. */
export interface SharedLog {
  /** Gives the facts as events, after the events of others since the last answer if it listens to them. */
  append(facts: readonly Emitted[], lease: string): Promise<readonly RunEvent[]>;
  /** The events of others since the last answer. */
  heard(): Promise<readonly RunEvent[]>;
}

interface Append {
  readonly lease: string;
  readonly lines: readonly Line[];
  readonly texts: ReadonlyMap<string, string>;
  readonly resolve: (events: readonly RunEvent[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Appends of one transaction. */
const MOST_APPENDS = 100;

/** Events that are read at once. */
const MOST_HEARD = 10_000;

/** `heardUntil`: the events of others after this one are given too. Absent: only own events are. */
export function openSharedLog(
  place: RunPlace,
  redaction: Redaction,
  { heardUntil }: { readonly heardUntil?: number } = {},
): SharedLog {
  let texts = new Map<string, string>();
  const lineOf = lineWriter(redaction, (text) => {
    const aside = attached(text);
    texts.set(aside.attachment, text);
    return aside;
  });
  const digests = runDigests(place.id);
  let seen = heardUntil;
  let waiting: Append[] = [];
  let isWriting = false;
  let told = NO_MONEY;
  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_APPENDS);
      waiting = waiting.slice(batch.length);
      try {
        const after = await written(place.database, () =>
          againAfterConflict(() => writeBatch(place, batch, { seen, told, digests })),
        );
        seen = seen === undefined ? undefined : after.last;
        told = after.told;
        for (const [append, answer] of after.answers)
          if ('events' in answer) append.resolve([...answer.foreign, ...answer.events]);
          else append.reject(answer.error);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isWriting = false;
  };
  return {
    append: (facts, lease) =>
      new Promise((resolve, reject) => {
        texts = new Map();
        const lines = facts.map((emitted) => lineOf({ sequence: 0, ...emitted }));
        waiting.push({ lease, lines, texts, resolve, reject });
        if (!isWriting) void writeAll();
      }),
    async heard() {
      if (seen === undefined) return [];
      const events = await eventsIn(place.database, place.id, { after: seen, most: MOST_HEARD });
      seen = events.at(-1)?.sequence ?? seen;
      return events;
    },
  };
}

/** What this process has told of its costs, in US dollars. */
interface Money {
  readonly spentUsd: number;
  readonly reservedUsd: number;
}

const NO_MONEY: Money = { spentUsd: 0, reservedUsd: 0 };

type AppendAnswer =
  | { readonly foreign: readonly RunEvent[]; readonly events: readonly RunEvent[] }
  | { readonly error: unknown };

interface WrittenBatch {
  readonly last: number;
  readonly answers: ReadonlyMap<Append, AppendAnswer>;
  readonly told: Money;
}

interface LockedRun extends RunColumns {
  readonly lease_id: string | null;
  readonly last_sequence: number;
  readonly budget_usd: number | null;
  readonly handed_out: boolean;
}

interface Known {
  readonly seen: number | undefined;
  readonly told: Money;
  readonly digests: RunDigests;
}

async function writeBatch(
  { database, id, fold }: RunPlace,
  batch: readonly Append[],
  { seen, told, digests }: Known,
): Promise<WrittenBatch> {
  const leases = [...new Set(batch.map(({ lease }) => lease))];
  const all = batch.flatMap(({ lines }) => lines.map(({ event }) => event));
  return await database.transaction(async (queries, sendLast) => {
    const { run, held, known } = await locked(queries, id, { leases, events: all });
    if (run === undefined) throw leaseLost(id);
    const ofTrials = new Set(held.map(({ lease_id: lease }) => lease));
    let { last_sequence: last } = run;
    const foreign =
      seen === undefined || last <= seen
        ? []
        : await eventsIn(queries, id, { after: seen, most: last - seen });
    const purse = openPurse(id, run, told);
    const answers = new Map<Append, AppendAnswer>();
    const lines: LeasedLine[] = [];
    const texts = new Map<string, string>();
    const ended: string[] = [];
    for (const append of batch) {
      const { lease } = append;
      if (lease !== run.lease_id && !ofTrials.has(lease)) {
        answers.set(append, { error: leaseLost(id) });
        continue;
      }
      const counted = ofTrials.has(lease) ? purse.counted(append) : append.lines;
      if (counted instanceof BudgetSpent) {
        answers.set(append, { error: counted });
        continue;
      }
      const own = counted.map((line): Line => ({ ...line, event: { ...line.event, sequence: (last += 1) } }));
      lines.push(...own.map((line) => ({ line, lease })));
      for (const [sha256, text] of append.texts) texts.set(sha256, text);
      if (ofTrials.has(lease) && own.some(({ event }) => event.fact.type === 'trial-end')) ended.push(lease);
      answers.set(append, {
        foreign: answers.size === 0 ? foreign : [],
        events: own.map(({ event }) => event),
      });
    }
    if (lines.length > 0) {
      sendLast(await writeEvents({ id, fold }, queries, { lines, texts, run, known, digests }));
      sendLast(endLeases(queries, id, ended));
    }
    return { last, answers, told: purse.told() };
  });
}

/** The locked run, which of the leases are of its trials, and the trials that events tell of. */
async function locked(
  queries: Queries,
  id: string,
  { leases, events }: { readonly leases: readonly string[]; readonly events: readonly RunEvent[] },
) {
  const [[run], held, known] = await Promise.all([
    queries.query<LockedRun>(
      `select lease_id, last_sequence, tally, spent_usd, reserved_usd, budget_usd, handed_out from run where id = $1
         for no key update`,
      [id],
      { preparedAs: 'lock-shared-run' },
    ),
    queries.query<{ lease_id: string }>(
      'select lease_id from handed_trial where run_id = $1 and lease_id = any($2::text[]::uuid[])',
      [id, leases],
      { preparedAs: 'leases-of-trials' },
    ),
    trialsOf(queries, id, events),
  ]);
  return { run, held, known };
}

/** The costs of a run while a batch is written. */
function openPurse(id: string, run: LockedRun, before: Money) {
  let { spent_usd: spentUsd, reserved_usd: reservedUsd } = run;
  let told = before;
  return {
    told: () => told,
    /** The lines with the costs of the whole run, or a refusal: they set more aside than the budget has left. */
    counted({ lines }: Append): readonly Line[] | BudgetSpent {
      const counted: Line[] = [];
      for (const line of lines) {
        const { fact } = line.event;
        const money = fact.type === 'run-state' ? fact.money : undefined;
        if (fact.type !== 'run-state' || money === undefined) {
          counted.push(line);
          continue;
        }
        const spent = round9(spentUsd + money.spentUsd - told.spentUsd);
        const reserved = round9(reservedUsd + money.reservedUsd - told.reservedUsd);
        const { setAsideUsd } = money;
        const most = (run.budget_usd ?? Infinity) + 1e-9;
        if (setAsideUsd !== undefined && spent + reserved > most)
          return new BudgetSpent(`the budget of the run ${id} is used up`, {
            isHeld: spent + setAsideUsd <= most,
          });
        [spentUsd, reservedUsd] = [spent, reserved];
        told = { spentUsd: money.spentUsd, reservedUsd: money.reservedUsd };
        const ofRun: Fact = { ...fact, money: { ...money, spentUsd, reservedUsd } };
        counted.push({ ...line, event: { ...line.event, fact: ofRun } });
      }
      return counted;
    },
  };
}

/** The end of a trial ends its lease, so that it has no other end. The conductor is told. */
function endLeases({ query }: Queries, run: string, leases: readonly string[]): readonly Promise<unknown>[] {
  if (leases.length === 0) return [];
  const free = 'delete from handed_trial where run_id = $1 and lease_id = any($2::text[]::uuid[])';
  return [
    query(free, [run, leases], { preparedAs: 'end-leases-of-trials' }),
    query(`select pg_notify('assay_ended', $1)`, [run], { preparedAs: 'tell-ended' }),
  ];
}
