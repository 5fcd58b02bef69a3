import { statSync } from 'node:fs';

import type { RunReader } from '../../core/log.ts';
import type { Manifest, Row, RunEvent } from '../../core/run.ts';
import type { Transcript, TranscriptEntry } from '../../core/transcript.ts';
import { wholeEntry } from './attachments.ts';
import { readEnds } from './ends.ts';
import { readManifest } from './manifest.ts';
import type { RunPaths } from './paths.ts';
import { parseLine, readEvents, readLines, readRawLines } from './read-lines.ts';

/** Reads a run directory; also one whose process died, from its events alone. */
export function openRunReader(paths: RunPaths, options: { readonly trustRows?: boolean } = {}): RunReader {
  const manifest = () => Promise.resolve(readManifest(paths));
  return {
    manifest,
    async *rows() {
      const whole = options.trustRows ?? readManifest(paths).state !== 'running';
      yield* whole ? writtenRows(paths.rows) : lastRows(paths.events);
    },
    runEvents: () => runEvents(paths),
    transcripts: (keys) => lastTranscripts(paths, keys),
  };
}

async function* writtenRows(path: string): AsyncGenerator<Row> {
  for await (const lines of readLines(path)) {
    for (const line of lines) if (line !== '') yield parseLine<Row>(line, path);
  }
}

/** Of a run that has ended run.json may tell them, so that nobody has to look through its log. */
async function* runEvents(paths: RunPaths): AsyncGenerator<RunEvent> {
  const { state, beside } = readManifest(paths);
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
  const running = new Set<string>();
  for await (const lines of readRawLines(path)) {
    for (const line of lines) {
      const [, trial, type] = headOf(line);
      if (trial !== undefined && type === 'trial-start') running.add(` ${trial}`.slice(1));
      if (trial !== undefined && type === 'trial-end') running.delete(trial);
      if (line.length === 0 || (trial !== undefined && (type !== 'note' || running.has(trial)))) continue;
      yield parseLine<RunEvent>(line, path);
    }
  }
}

/** Most keys are short; the line of a long one is read whole. */
function headOf(line: Buffer): readonly (string | undefined)[] {
  return OF_A_TRIAL.exec(line.toString('latin1', 0, 300)) ?? OF_A_TRIAL.exec(line.toString('utf8')) ?? [];
}

/** The beginning of its line, as the log writes it; in ids of cases there may be quotes. */
const OF_A_TRIAL =
  /^\{"sequence":\d+,"at":"[^"]*","trial":"((?:[^"\\]|\\.)*)",(?:"attempt":\d+,)?"fact":\{"type":"([a-z-]+)"/;

/** The last trial-end of each trial, in the order of the log. */
export async function* lastRows(events: string): AsyncGenerator<Row> {
  const { isLast } = await readEnds(events);
  for await (const { trial, sequence, fact } of readEvents(events)) {
    if (fact.type === 'trial-end' && trial !== undefined && isLast(trial, sequence)) yield fact.row;
  }
}

/** Of a trial that has ended those of the attempt that its row tells of, whatever was begun and killed since. */
async function lastTranscripts(
  paths: RunPaths,
  keys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Transcript>> {
  const begun = new Map<string, TranscriptEntry[]>();
  const ended = new Map<string, Transcript>();
  for await (const event of readEvents(paths.events)) {
    const { trial, fact } = event;
    if (trial === undefined || !keys.has(trial)) continue;
    if (fact.type === 'attempt-start') begun.set(trial, []);
    if (fact.type === 'transcript-entry') begun.get(trial)?.push(wholeEntry(fact.entry, paths.attachments));
    if (fact.type !== 'trial-end') continue;
    ended.set(trial, begun.get(trial) ?? []);
    begun.delete(trial);
  }
  return new Map([...begun, ...ended]);
}
