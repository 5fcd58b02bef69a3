import { closeSync, openSync, readSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Ends } from '../../core/run-store.ts';
import type { RunEvent } from '../../core/run.ts';
import { isObject } from '../../lib/json.ts';
import { endsCollector, eventHead, type EventHead } from '../runs/ends-collector.ts';
import { rowlessFilter } from '../runs/rowless-filter.ts';
import { trialEventHead } from './event-head.ts';
import { scanLines } from './scan-lines.ts';

/** An index of the lines of each trial in a log. Built once, and extended when the log has grown. */
export interface LogIndex {
  /** The lines of these trials and of resumptions, which name trials, in order. A missing log has no lines. */
  linesOf(trials: ReadonlySet<string>): AsyncGenerator<Buffer>;
  /** The lines of the last valid end of each trial, in order. */
  lastEndLines(): AsyncGenerator<Buffer>;
  /** The lines of events outside rows, in order, and lines that are not JSON. */
  linesRowlessEvents(): AsyncGenerator<Buffer>;
  /** The ends in the current log. */
  ends(): Promise<Ends>;
  /** An offset before all events after `after`. 0 for a log whose rows are numbered by earlier rows. */
  startAfter(after: number): Promise<number>;
}

/** Number of cached indexes. The index of a 1 GB log needs about 10 MB. */
const MOST_LOGS = 8;

/** A cache of the indexes that were used last. */
export function logIndexes(): (path: string) => LogIndex {
  const kept = new Map<string, LogIndex>();
  return (path) => {
    const index = kept.get(path) ?? logIndex(path);
    kept.delete(path);
    kept.set(path, index);
    for (const old of [...kept.keys()].slice(0, -MOST_LOGS)) kept.delete(old);
    return index;
  };
}

/** Key for resumptions, which cannot be the key of a trial. */
const RESUMPTIONS = '';

/** The index of the first `bytes` of a log. */
interface Known {
  readonly inode: number;
  bytes: number;
  /** Alternating start and end of each line. */
  readonly places: Map<string, number[]>;
  /** For the last end of each trial: its sequence number, and the start and end of its line. */
  readonly endPlaces: Map<string, readonly [sequence: number, start: number, end: number]>;
  readonly ends: ReturnType<typeof endsCollector>;
  /** Start and end of each line outside rows, one after the other. */
  readonly rowless: number[];
  readonly isRowless: ReturnType<typeof rowlessFilter>;
  /** For some events: their sequence number, and the offset of the next line. */
  readonly marks: [sequence: number, next: number][];
  numbering: 'unknown' | 'at-starts' | 'by-order';
}

function logIndex(path: string): LogIndex {
  let known: Known | undefined;
  let reading: Promise<unknown> = Promise.resolve();
  const upToDate = (): Promise<Known | undefined> => {
    const next = reading.then(async () => (known = await continued(path, known)));
    // What was read before it failed is read again.
    reading = next.catch(() => (known = undefined));
    return next;
  };
  return {
    async *linesOf(trials) {
      const { places } = (await upToDate()) ?? { places: new Map<string, number[]>() };
      const wanted = [...trials, RESUMPTIONS].flatMap((trial) => pairsOf(places.get(trial) ?? []));
      yield* linesAt(
        path,
        wanted.sort(([left], [right]) => left - right),
      );
    },
    async *lastEndLines() {
      const { endPlaces, ends } = (await upToDate()) ?? newlyKnown(0);
      const wanted = [...endPlaces].flatMap(([trial, [sequence, start, end]]) =>
        ends.ends.isLast(trial, sequence) ? [[start, end] as const] : [],
      );
      yield* linesAt(
        path,
        wanted.sort(([left], [right]) => left - right),
      );
    },
    async *linesRowlessEvents() {
      yield* linesAt(path, pairsOf((await upToDate())?.rowless ?? []));
    },
    ends: async () => ((await upToDate()) ?? newlyKnown(0)).ends.ends,
    startAfter: async (after) => {
      const found = await upToDate();
      if (found?.numbering !== 'at-starts') return 0;
      return found.marks.findLast(([sequence]) => sequence <= after)?.[1] ?? 0;
    },
  };
}

async function continued(path: string, before: Known | undefined): Promise<Known | undefined> {
  const { ino, size } = (await stat(path).catch(() => undefined)) ?? {};
  if (ino === undefined || size === undefined) return undefined;
  const isSame = before !== undefined && before.inode === ino && before.bytes <= size;
  const known = isSame ? before : newlyKnown(ino);
  if (known.bytes === size) return known;
  const file = await open(path);
  try {
    // Whole lines only: a torn last one is looked at again.
    known.bytes = await scanLines(file, known.bytes, (bytes, line) => note(known, bytes, line));
  } finally {
    await file.close();
  }
  return known;
}

function newlyKnown(inode: number): Known {
  return {
    inode,
    bytes: 0,
    places: new Map(),
    endPlaces: new Map(),
    ends: endsCollector(),
    rowless: [],
    isRowless: rowlessFilter(),
    marks: [],
    numbering: 'unknown',
  };
}

/** Where a line stands: in bytes, and in its log. */
interface Line {
  readonly start: number;
  readonly end: number;
  readonly place: number;
}

/** Events per mark: the most that are read to find one. */
const EVENTS_A_MARK = 256;

function note(known: Known, bytes: Buffer, { start, end, place }: Line): void {
  const head = trialEventHead(bytes, start, end) ?? parsedHead(bytes.subarray(start, end));
  const placeEnd = place + end - start;
  if (known.isRowless(head)) known.rowless.push(place, placeEnd);
  if (head === undefined) return;
  const { sequence, type } = head;
  const trial = head.trial ?? (type === 'run-resume' ? RESUMPTIONS : undefined);
  if (trial === undefined) return;
  if (type === 'trial-end' || type === 'run-resume') known.ends.add(head);
  if (type === 'trial-end') known.endPlaces.set(trial, [sequence, place, placeEnd]);
  const places = known.places.get(trial);
  if (places === undefined) known.places.set(trial, [place, placeEnd]);
  else places.push(place, placeEnd);
  if (type === 'trial-start' && known.numbering !== 'by-order') {
    known.numbering = bytes.subarray(start, end).includes('"number":') ? 'at-starts' : 'by-order';
  }
  const last = known.marks.at(-1);
  const isFar = sequence - (known.marks.at(-2)?.[0] ?? 0) > EVENTS_A_MARK;
  // The last one moves on until it is far from the one before it.
  if (last === undefined || isFar) known.marks.push([sequence, placeEnd + 1]);
  else [last[0], last[1]] = [sequence, placeEnd + 1];
}

/** Parses a line with a different format. Undefined if it is not an event. */
function parsedHead(line: Buffer): EventHead | undefined {
  try {
    const event: unknown = JSON.parse(line.toString());
    return isObject(event) && isObject(event['fact']) && typeof event['sequence'] === 'number'
      ? eventHead(event as unknown as RunEvent)
      : undefined;
  } catch {
    return undefined;
  }
}

function pairsOf(places: readonly number[]): [start: number, end: number][] {
  const pairs: [number, number][] = [];
  for (let at = 0; at < places.length; at += 2) pairs.push([places[at] ?? 0, places[at + 1] ?? 0]);
  return pairs;
}

/** So much is read before others have their turn. */
const BYTES_A_TURN = 1 << 22;

async function* linesAt(
  path: string,
  places: readonly (readonly [start: number, end: number])[],
): AsyncGenerator<Buffer> {
  if (places.length === 0) return;
  const file = openSync(path, 'r');
  try {
    let bytes = 0;
    for (const [start, end] of places) {
      const line = Buffer.allocUnsafe(end - start);
      // Thousands of short lines take several times as long through other threads.
      yield line.subarray(0, readSync(file, line, 0, line.length, start));
      bytes += line.length;
      if (bytes < BYTES_A_TURN) continue;
      bytes = 0;
      await nextTurn();
    }
  } finally {
    closeSync(file);
  }
}
