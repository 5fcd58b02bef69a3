import { AssayError } from '../../core/errors.ts';
import { findRun } from '../../storage/run-directory/find.ts';
import { openRunReader } from '../../storage/run-directory/reader.ts';
import type { OnlyTrials } from './prepare-run.ts';

/** Cases and targets of a stored run of which a trial failed or errored. */
export async function failedTrials(run: string, outputDirectory: string, cwd: string): Promise<OnlyTrials> {
  const { paths, target } = findRun(run, outputDirectory, cwd);
  const failed = new Set<string>();
  for await (const row of openRunReader(paths).rows()) {
    if (row.passed || row.verdict === 'skipped' || (target !== undefined && row.target !== target)) continue;
    failed.add(nameOf(row));
  }
  if (failed.size === 0) {
    throw new AssayError('empty-selection', `nothing failed or errored in ${run}`, {
      stage: 'plan',
      hint: 'there is nothing to run again: leave out --failed, or name another run',
    });
  }
  return (id) => failed.has(nameOf(id));
}

function nameOf({ suite, caseId, target }: { suite: string; caseId: string; target: string }): string {
  return JSON.stringify([suite, caseId, target]);
}
