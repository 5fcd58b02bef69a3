import { statSync } from 'node:fs';

import type { RunReader } from '../../core/log.ts';
import type { Row, RunEvent } from '../../core/run.ts';
import type { Manifest } from '../../core/manifest.ts';
import { isBesideRows } from '../runs/is-beside-rows.ts';
import { lastTranscripts } from '../runs/last-transcripts.ts';
import { wholeEntry } from './attachments.ts';
import { lastEndLines, rowOfEnd } from './ends.ts';
import { trialEventHead } from './event-head.ts';
import { linesWith } from './find-lines.ts';
import { readManifest, readManifestHead } from './manifest.ts';
import type { RunPaths } from './paths.ts';
import { parseLine, readLines, readRawLines } from './read-lines.ts';

/** Reads a run directory; also one whose process died, from its events alone. */
export function openRunReader(paths: RunPaths, options: { readonly trustRows?: boolean } = {}): RunReader {
  return {
    manifest: async () => readManifest(paths),
    async *rows() {
      const whole = options.trustRows ?? readManifestHead(paths).state !== 'running';
      yield* whole ? writtenRows(paths.rows) : lastRows(paths.events);
    },
    runEvents: () => runEvents(paths),
    transcripts: (keys) =>
      lastTranscripts(eventsOf(paths.events, keys), (entry) => wholeEntry(entry, paths.attachments)),
  };
}

async function* writtenRows(path: string): AsyncGenerator<Row> {
  for await (const lines of readLines(path)) {
    for (const line of lines) if (line !== '') yield parseLine<Row>(line, path);
  }
}

/** Of a run that has ended run.json may tell them, so that nobody has to look through its log. */
async function* runEvents(paths: RunPaths): AsyncGenerator<RunEvent> {
  const { state, beside } = readManifestHead(paths);
  if (state !== 'running' && beside !== undefined && isUnchanged(paths, beside)) yield* beside.events;
  else yield* eventsBesideRows(paths.events);
}

function isUnchanged(paths: RunPaths, { logBytes, logWrittenMs }: Omit<Beside, 'events'>): boolean {
  const now = logState(paths);
  return now.logBytes === logBytes && now.logWrittenMs === logWrittenMs;
}

type Beside = NonNullable<Manifest['beside']>;

/** What events.jsonl looks like from outside; a copy of a run may have another time, and is then read through. */
export function logState({ events }: Pick<RunPaths, 'events'>): Omit<Beside, 'events'> {
  const { size = 0, mtimeMs = 0 } = statSync(events, { throwIfNoEntry: false }) ?? {};
  return { logBytes: size, logWrittenMs: mtimeMs };
}

/** The events of trials, most of a log, are not parsed. */
async function* eventsBesideRows(path: string): AsyncGenerator<RunEvent> {
  const isBeside = isBesideRows();
  for await (const lines of readRawLines(path)) {
    for (const line of lines) {
      if (line.length > 0 && isBeside(trialEventHead(line))) yield parseLine<RunEvent>(line, path);
    }
  }
}

/** The last trial-end of each trial, in the order of the log. */
export async function* lastRows(events: string): AsyncGenerator<Row> {
  for await (const line of lastEndLines(events)) yield rowOfEnd(line, events);
}

/** The events of some trials; those of few trials are found without looking at each line. */
async function* eventsOf(path: string, keys: ReadonlySet<string>): AsyncGenerator<RunEvent> {
  for await (const line of keys.size > FEW
    ? eachLine(path)
    : linesWith(
        path,
        [...keys].map((key) => JSON.stringify(key)),
      )) {
    const head = trialEventHead(line);
    if (line.length === 0 || (head !== undefined && !keys.has(head.trial))) continue;
    const event = parseLine<RunEvent>(line, path);
    if (event.trial !== undefined && keys.has(event.trial)) yield event;
  }
}

/** Each is looked for by itself. */
const FEW = 4;

async function* eachLine(path: string): AsyncGenerator<Buffer> {
  for await (const batch of readRawLines(path)) yield* batch;
}
