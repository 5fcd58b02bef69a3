import type { RunEvent } from '../../core/run.ts';
import type { StoredRun } from '../../core/run-store.ts';
import type { Transcript, TranscriptEntry } from '../../core/transcript.ts';

/**
 * The transcript of each trial. For an ended trial it is that of the attempt in its row, regardless of later killed
 * attempts. Ignores ends that a resumption dropped. `events`: the events of the trials, and all resumptions.
 */
export async function lastTranscripts(
  events: AsyncIterable<RunEvent>,
  wholeEntry: StoredRun['wholeEntry'],
): Promise<ReadonlyMap<string, Transcript>> {
  const begun = new Map<string, TranscriptEntry[]>();
  const ended = new Map<string, Transcript>();
  for await (const { trial, fact } of events) {
    if (fact.type === 'run-resume') for (const key of fact.dropped ?? []) ended.delete(key);
    if (trial === undefined) continue;
    if (fact.type === 'attempt-start') begun.set(trial, []);
    if (fact.type === 'transcript-entry') begun.get(trial)?.push(await wholeEntry(fact.entry));
    if (fact.type !== 'trial-end') continue;
    ended.set(trial, begun.get(trial) ?? []);
    begun.delete(trial);
  }
  return new Map([...begun, ...ended]);
}
