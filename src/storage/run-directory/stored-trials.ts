import type { StoredTrial } from '../../core/run-store.ts';
import type { TranscriptEntry } from '../../core/transcript.ts';
import { wholeEntry } from './attachments.ts';
import { readEnds } from './ends.ts';
import type { RunPaths } from './paths.ts';
import { readEvents } from './read-lines.ts';

/** The trials of a run in the order of their last ends; only those in flight are held at a time. */
export async function* storedTrials(paths: RunPaths): AsyncGenerator<StoredTrial> {
  const { isLast } = await readEnds(paths.events);
  const transcripts = new Map<string, TranscriptEntry[]>();
  for await (const { trial, sequence, fact } of readEvents(paths.events)) {
    if (trial === undefined) continue;
    if (fact.type === 'attempt-start') transcripts.set(trial, []);
    if (fact.type === 'transcript-entry') {
      transcripts.get(trial)?.push(wholeEntry(fact.entry, paths.attachments));
    }
    if (fact.type !== 'trial-end') continue;
    const transcript = transcripts.get(trial) ?? [];
    transcripts.delete(trial);
    if (isLast(trial, sequence)) yield { row: fact.row, transcript };
  }
}
