import type { RunReader } from '../../core/log.ts';
import type { Row } from '../../core/run.ts';
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
    async *runEvents() {
      for await (const event of readEvents(paths.events)) if (event.trial === undefined) yield event;
    },
    transcripts: (keys) => lastTranscripts(paths, keys),
  };
}

async function* writtenRows(path: string): AsyncGenerator<Row> {
  for await (const lines of readLines(path)) {
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Row;
  }
}

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
