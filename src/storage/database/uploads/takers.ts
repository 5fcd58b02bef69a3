import type { Emitted, Frozen, RunEvent } from '../../../core/run.ts';
import { invalidUpload, type UploadedArtifact } from '../../../core/run-upload.ts';
import { attached } from '../../runs/detach.ts';
import { lineWriter } from '../../runs/line-writer.ts';
import { nothingHidden } from '../../runs/redaction.ts';
import { keepFrozen } from '../runs/frozen.ts';
import { openLog } from '../runs/log.ts';
import { eventsIn } from '../runs/read-events.ts';
import { awaitArtifacts, awaitTexts, textsNamedIn } from './awaited-bytes.ts';
import { runDiffers, type BegunUpload } from './begin-upload.ts';

/** Takes lines of one kind, and stores some of them at once. */
interface Taker<T> {
  take(line: T): Promise<void>;
  /** Stores the rest. */
  finish(): Promise<void>;
}

const PAGE = 500;

/** Compares events that the store has, and appends the others. */
export function eventTaker({ place, lease, lastSequence, digests }: BegunUpload): Taker<RunEvent> & {
  newEvents(): number;
} {
  const { database, id } = place;
  const log = openLog(place, nothingHidden, { lease: lease.id, lastSequence });
  const known = knownEvents(place, lastSequence);
  let last = 0;
  let isGrown = false;
  let isOver = false;
  const growDigests = async (): Promise<void> => {
    if (isGrown) return;
    isGrown = true;
    const columns = [id, lease.id, digests] as const;
    await database.query('update run set digests = $3::text[] where id = $1 and lease_id = $2', columns);
  };
  const page = paged<RunEvent>(async (events) => {
    await growDigests();
    await awaitTexts(database, id, events.flatMap(textsNamedIn));
    await log.append(events.map(emittedOf));
  });
  return {
    async take(event) {
      if (isOver) throw invalidUpload('an event comes after the frozen copies or artifacts');
      if (event.sequence !== last + 1)
        throw invalidUpload(
          `line ${last + 1} of events.jsonl is event ${event.sequence}, expected event ${last + 1}`,
        );
      last = event.sequence;
      if (last > lastSequence) await page.take(event);
      else if ((await known.next()) !== textOf(event))
        throw runDiffers(id, `event ${last} of its log is different`);
    },
    async finish() {
      isOver = true;
      if (last < lastSequence)
        throw runDiffers(
          id,
          `its log has ${lastSequence} events, but the log in the directory has only ${last}`,
        );
      await page.finish();
      await growDigests();
    },
    newEvents: () => Math.max(0, last - lastSequence),
  };
}

/** Keeps copies that the run does not have. */
export function frozenTaker({ place, lease }: BegunUpload): Taker<Frozen> {
  return paged((copies) => keepFrozen(place, copies, { redaction: nothingHidden, lease: lease.id }));
}

/** Names the files of attempts, whose bytes may come later. */
export function artifactTaker({ place: { database, id } }: BegunUpload): Taker<UploadedArtifact> {
  return paged((artifacts) => awaitArtifacts(database, id, artifacts));
}

function paged<T>(store: (lines: readonly T[]) => Promise<void>): Taker<T> {
  let waiting: T[] = [];
  const finish = async (): Promise<void> => {
    const lines = waiting;
    waiting = [];
    if (lines.length > 0) await store(lines);
  };
  return {
    async take(line) {
      waiting.push(line);
      if (waiting.length === PAGE) await finish();
    },
    finish,
  };
}

/** The events that the store has, as text, one after the other. */
function knownEvents({ database, id }: BegunUpload['place'], lastSequence: number) {
  let page: readonly RunEvent[] = [];
  let at = 0;
  let after = 0;
  return {
    async next(): Promise<string | undefined> {
      if (at === page.length && after < lastSequence) {
        page = await eventsIn(database, id, { after, most: PAGE });
        at = 0;
        after = page.at(-1)?.sequence ?? lastSequence;
      }
      const event = page[at];
      at += 1;
      return event && textOf(event);
    },
  };
}

/** The log numbers it again, by the same number. */
function emittedOf(event: RunEvent): Emitted {
  const { sequence: _, ...emitted } = event;
  return emitted;
}

/** An event as the log of a database holds it. */
const textOf = (event: RunEvent): string => lineOf(event).text;
const lineOf = lineWriter(nothingHidden, attached);
