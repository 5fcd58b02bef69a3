import type { StoredAnswers } from '../../core/plugin.ts';
import { rowsOf, type RunStore } from '../../core/run-store.ts';
import type { Row } from '../../core/run.ts';
import type { Transcript } from '../../core/transcript.ts';
import { trialKey } from '../../core/trial.ts';

/** Opens the answers of a stored run for `replay`. The log is read once, at the first question. */
export async function storedAnswers(reference: string, runs: RunStore): Promise<StoredAnswers> {
  const found = await runs.find(reference);
  const keys = new Map<string, string>();
  for await (const row of rowsOf(found)) {
    if (!wasAnswered(row)) continue;
    const any = trialKey({ ...row, target: '' });
    if (!keys.has(any)) keys.set(any, trialKey(row));
  }
  let transcripts: Promise<ReadonlyMap<string, Transcript>> | undefined;
  return {
    async transcript(id) {
      const key = keys.get(trialKey({ ...id, target: '' }));
      if (key === undefined) return undefined;
      transcripts ??= found.run.transcripts(new Set(keys.values()));
      return (await transcripts).get(key);
    },
  };
}

/** Whether the agent finished. An aborted session does not count as an answer. */
function wasAnswered({ verdict, error }: Row): boolean {
  return (
    verdict === 'passed' || verdict === 'failed' || (verdict === 'errored' && error?.stage === 'grading')
  );
}
