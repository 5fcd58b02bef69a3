import type { StoredAnswers } from '../../core/plugin.ts';
import type { Row } from '../../core/run.ts';
import type { Transcript } from '../../core/transcript.ts';
import { trialKey } from '../../core/trial.ts';
import { findRun } from '../../storage/run-directory/find.ts';
import { openRunReader } from '../../storage/run-directory/reader.ts';

/** Opens the answers of a stored run for `replay`; the log is read once, at the first question. */
export async function storedAnswers(
  reference: string,
  outputDirectory: string,
  cwd: string,
): Promise<StoredAnswers> {
  const { paths, target: wanted } = findRun(reference, outputDirectory, cwd);
  const reader = openRunReader(paths);
  const keys = new Map<string, string>();
  for await (const row of reader.rows()) {
    if (wanted !== undefined && row.target !== wanted) continue;
    if (!wasAnswered(row)) continue;
    const any = trialKey({ ...row, target: '' });
    if (!keys.has(any)) keys.set(any, trialKey(row));
  }
  let transcripts: Promise<ReadonlyMap<string, Transcript>> | undefined;
  return {
    async transcript(id) {
      const key = keys.get(trialKey({ ...id, target: '' }));
      if (key === undefined) return undefined;
      transcripts ??= reader.transcripts(new Set(keys.values()));
      return (await transcripts).get(key);
    },
  };
}

/** Whether the agent came to its end: a session that was cut short is no answer. */
function wasAnswered({ verdict, error }: Row): boolean {
  return (
    verdict === 'passed' || verdict === 'failed' || (verdict === 'errored' && error?.stage === 'grading')
  );
}
