import type { StoredRun, StoredTrial } from '../../core/run-store.ts';
import type { TranscriptEntry } from '../../core/transcript.ts';

/** The trials of a run in the order of their last ends. Only unfinished ones are in memory. */
export async function* storedTrials(
  run: Pick<StoredRun, 'ends' | 'events' | 'wholeEntry'>,
): AsyncGenerator<StoredTrial> {
  const { isLast } = await run.ends();
  const transcripts = new Map<string, TranscriptEntry[]>();
  for await (const { trial, sequence, fact } of run.events()) {
    if (trial === undefined) continue;
    if (fact.type === 'attempt-start') transcripts.set(trial, []);
    if (fact.type === 'transcript-entry') transcripts.get(trial)?.push(await run.wholeEntry(fact.entry));
    if (fact.type !== 'trial-end') continue;
    const transcript = transcripts.get(trial) ?? [];
    transcripts.delete(trial);
    if (isLast(trial, sequence)) yield { row: fact.row, transcript };
  }
}
