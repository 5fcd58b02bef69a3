import type { RunEvent } from '../../core/run.ts';
import type { StoredRun } from '../../core/run-store.ts';
import type { Transcript, TranscriptEntry } from '../../core/transcript.ts';

/** `events`: those of the trials, and the resumptions. Of a trial that has ended those of the attempt that its row tells of, whatever was begun and killed since; an end that a resumption
 * dropped is none. */
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
