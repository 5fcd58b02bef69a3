import type { RunReader } from '../../core/log.ts';
import type { Row, RunEvent } from '../../core/run.ts';
import type { Transcript, TranscriptEntry } from '../../core/transcript.ts';
import { wholeEntry } from './attachments.ts';
import { readEnds } from './ends.ts';
import { readManifest } from './manifest.ts';
import type { RunPaths } from './paths.ts';
import { readEvents, readLines } from './read-lines.ts';

/** Reads a run directory; also one whose process died, from its events alone. */
export function openRunReader(paths: RunPaths, options: { readonly trustRows?: boolean } = {}): RunReader {
  const manifest = () => Promise.resolve(readManifest(paths));
  return {
    manifest,
    async *rows() {
      const whole = options.trustRows ?? readManifest(paths).state !== 'running';
      yield* whole ? writtenRows(paths.rows) : lastRows(paths.events);
    },
    runEvents: () => eventsBesideRows(paths.events),
    transcripts: (keys) => lastTranscripts(paths, keys),
  };
}

async function* writtenRows(path: string): AsyncGenerator<Row> {
  for await (const lines of readLines(path)) {
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Row;
  }
}

/** The events of trials, most of a log, are not parsed. */
async function* eventsBesideRows(path: string): AsyncGenerator<RunEvent> {
  const ended = new Set<string>();
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      const [, trial, type] = OF_A_TRIAL.exec(line) ?? [];
      if (trial !== undefined && type === 'trial-start') ended.delete(trial);
      if (trial !== undefined && type === 'trial-end') ended.add(trial);
      if (line === '' || (trial !== undefined && (type !== 'note' || !ended.has(trial)))) continue;
      yield JSON.parse(line) as RunEvent;
    }
  }
}

/** The beginning of its line, as the log writes it. */
const OF_A_TRIAL =
  /^\{"sequence":\d+,"at":"[^"]*","trial":"([^"\\]*)",(?:"attempt":\d+,)?"fact":\{"type":"([a-z-]+)"/;

/** The last trial-end of each trial, in the order of the log. */
export async function* lastRows(events: string): AsyncGenerator<Row> {
  const { isLast } = await readEnds(events);
  for await (const { trial, sequence, fact } of readEvents(events)) {
    if (fact.type === 'trial-end' && trial !== undefined && isLast(trial, sequence)) yield fact.row;
  }
}

async function lastTranscripts(
  paths: RunPaths,
  keys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Transcript>> {
  const transcripts = new Map<string, TranscriptEntry[]>();
  for await (const event of readEvents(paths.events)) {
    const { trial, fact } = event;
    if (trial === undefined || !keys.has(trial)) continue;
    if (fact.type === 'attempt-start') transcripts.set(trial, []);
    if (fact.type === 'transcript-entry')
      transcripts.get(trial)?.push(wholeEntry(fact.entry, paths.attachments));
  }
  return transcripts;
}
