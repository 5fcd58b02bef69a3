import type { RunReader } from '../../core/log.ts';
import type { Row, RunEvent } from '../../core/run.ts';
import { rowlessFilter } from '../runs/rowless-filter.ts';
import { laterRowNumbers, type WrittenRow } from '../runs/row-numbers.ts';
import { lastTranscripts } from '../runs/last-transcripts.ts';
import { wholeEntry } from './attachments.ts';
import { lastEnds, readEnds } from './ends.ts';
import { trialEventHead } from './event-head.ts';
import { linesWith } from './find-lines.ts';
import type { LogIndex } from './log-index.ts';
import { readHeadAndEnd, readManifest, readManifestHead } from './manifest.ts';
import type { RunPaths } from './paths.ts';
import { parseEvent, parseLine, readLines, readRawLines } from './read-lines.ts';
import { keptEvents } from './told-at-end.ts';

export interface ReaderOptions {
  /** This process wrote all rows. */
  readonly trustRows?: boolean;
  /** Index of its log. Absent: the whole log is searched each time. */
  readonly index?: LogIndex;
}

/** Reads a run directory. If its process was killed, reads from its events only. */
export function openRunReader(paths: RunPaths, options: ReaderOptions = {}): RunReader {
  return {
    manifest: async () => readManifest(paths),
    async *rows() {
      const whole = options.trustRows ?? readManifestHead(paths).state !== 'running';
      yield* whole ? writtenRows(paths) : lastRows(paths.events, options.index);
    },
    runEvents: () => runEvents(paths, options.index),
    transcripts: (keys) =>
      lastTranscripts(eventsOf(paths.events, keys, options.index), (entry) =>
        wholeEntry(entry, paths.attachments),
      ),
  };
}

async function* writtenRows({ rows, events }: RunPaths): AsyncGenerator<Row> {
  const numbered = laterRowNumbers(() => readEnds(events));
  for await (const lines of readLines(rows)) {
    for (const line of lines) if (line !== '') yield numbered(parseLine<WrittenRow>(line, rows));
  }
}

/** Events outside rows. For an ended run, run.json may contain them, so the log is not read. */
async function* runEvents(paths: RunPaths, index?: LogIndex): AsyncGenerator<RunEvent> {
  const { head, end } = readHeadAndEnd(paths);
  // The log of an ended run is read once, so its index would only displace others.
  const isIndexed = index !== undefined && head.state === 'running';
  yield* (
    keptEvents(paths, end) ??
      (isIndexed ? indexedEvents(paths.events, index) : eventsRowlessEvents(paths.events))
  );
}

async function* indexedEvents(path: string, index: LogIndex): AsyncGenerator<RunEvent> {
  for await (const line of index.linesRowlessEvents()) {
    if (line.length > 0) yield parseEvent(line, path);
  }
}

/** Skips the events of trials, which are most of a log, without parsing them. */
async function* eventsRowlessEvents(path: string): AsyncGenerator<RunEvent> {
  const isRowless = rowlessFilter();
  for await (const lines of readRawLines(path)) {
    for (const line of lines) {
      if (line.length > 0 && isRowless(trialEventHead(line))) yield parseEvent(line, path);
    }
  }
}

/** The row of the last trial-end of each trial, in the order of the log. */
export async function* lastRows(events: string, index?: LogIndex): AsyncGenerator<Row> {
  for await (const { whole } of lastEnds(events, index)) yield whole();
}

/** The events of some trials, and resumptions that name them. */
async function* eventsOf(
  path: string,
  keys: ReadonlySet<string>,
  index: LogIndex | undefined,
): AsyncGenerator<RunEvent> {
  for await (const line of index?.linesOf(keys) ?? linesOf(path, keys)) {
    const head = trialEventHead(line);
    if (line.length === 0 || (head !== undefined && !keys.has(head.trial))) continue;
    const event = parseEvent(line, path);
    if (event.trial === undefined ? event.fact.type === 'run-resume' : keys.has(event.trial)) yield event;
  }
}

/** Up to this many keys are searched one by one. */
const FEW = 4;

/** Lines of few trials are found without parsing each line. Others may be among them. */
function linesOf(path: string, keys: ReadonlySet<string>): AsyncGenerator<Buffer> {
  if (keys.size > FEW) return eachLine(path);
  return linesWith(
    path,
    [...keys].map((key) => JSON.stringify(key)),
  );
}

async function* eachLine(path: string): AsyncGenerator<Buffer> {
  for await (const batch of readRawLines(path)) yield* batch;
}
