import { knownCases } from '../../core/test-case.ts';
import { AssayError } from '../../core/errors.ts';
import type { RunStore } from '../../core/run-store.ts';
import type { TrialId } from '../../core/trial.ts';
import type { Problem } from '../../core/problem.ts';
import type { RunOptions } from '../../core/run-options.ts';
import { firstOf } from '../../lib/text/first-of.ts';
import { plural } from '../../lib/text/plural.ts';
import type { Project } from '../binding/machine.ts';
import { openRuns } from '../runs.ts';
import { STORED_SUITE } from '../../core/test-case.ts';
import type { Surroundings } from '../surroundings.ts';

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

/** A warning about failed cases that were removed or renamed, because a green run would not show that they are missing. */
export function goneCases(
  failed: FailedTrials['cases'],
  { project, options }: { readonly project: Pick<Project, 'suites'>; readonly options: RunOptions },
): readonly Problem[] {
  // What was narrowed down is left out on purpose.
  if (options.patterns.length > 0 || options.select !== undefined) return [];
  const wanted = new Set(failed.map(({ suite }) => suite));
  const found = project.suites.filter(({ id }) => wanted.has(id));
  const ids = new Map(
    found.map(({ id, cases }) => [id, new Set(Array.from(knownCases(cases), (each) => each.id))]),
  );
  const gone = failed.filter(({ suite, caseId }) => ids.get(suite)?.has(caseId) !== true);
  const [first] = gone;
  if (first === undefined) return [];
  const names = gone.map(({ caseId }) => caseId);
  return [
    {
      file: first.suite,
      code: 'failed-cases-gone',
      message: `${plural(gone.length, 'case')} that failed in ${options.failed ?? 'the run'} no longer ${gone.length === 1 ? 'exists' : 'exist'}, so ${gone.length === 1 ? 'it is' : 'they are'} not run: ${firstOf(names, MAX_NAMED)}`,
      hint: 'if you renamed cases or files, run them by their new names with --case',
    },
  ];
}

const MAX_NAMED = 5;

interface FailedRequest {
  readonly options: Pick<RunOptions, 'failed' | 'stored'>;
  readonly surroundings: Surroundings;
  readonly out?: string | undefined;
}

/** Suite ids of the run of `--failed`. Undefined without that flag, or if the run cannot be read, which is reported later. */
export async function suitesOfFailed({
  options,
  surroundings,
  out,
}: FailedRequest): Promise<ReadonlySet<string> | undefined> {
  if (options.failed === undefined || options.stored === true) return undefined;
  try {
    const { run } = await (await openRuns(out, surroundings)).find(options.failed);
    const ids = (await run.head()).suites.map(({ id }) => id);
    return ids.includes(STORED_SUITE) ? undefined : new Set(ids);
  } catch {
    return undefined;
  }
}
