import { AssayError } from '../../core/errors.ts';
import type { RunStore } from '../../core/run-store.ts';
import type { TrialId } from '../../core/trial.ts';

/** Whether `--failed` selects a trial. */
export type OnlyTrials = (id: Omit<TrialId, 'repetition'>) => boolean;

/** The cases and targets of a stored run with a failed or errored trial. */
export interface FailedTrials {
  readonly only: OnlyTrials;
  /** In the order of the run. */
  readonly cases: readonly Pick<TrialId, 'suite' | 'caseId'>[];
}

/** Selects the cases and targets of a stored run with a failed or errored trial. */
export async function failedTrials(reference: string, runs: RunStore): Promise<FailedTrials> {
  const { run, target } = await runs.find(reference);
  const failed = new Set<string>();
  const cases = new Map<string, FailedTrials['cases'][number]>();
  for await (const row of run.unpassed()) {
    if (target !== undefined && row.target !== target) continue;
    const { suite, caseId } = row;
    failed.add(nameOf(row));
    cases.set(JSON.stringify([suite, caseId]), { suite, caseId });
  }
  if (failed.size === 0) {
    throw new AssayError('empty-selection', `nothing failed or errored in ${reference}`, {
      stage: 'plan',
      hint: 'nothing needs to be run again: remove --failed, or name another run',
    });
  }
  return { only: (id) => failed.has(nameOf(id)), cases: [...cases.values()] };
}

function nameOf({ suite, caseId, target }: { suite: string; caseId: string; target: string }): string {
  return JSON.stringify([suite, caseId, target]);
}
