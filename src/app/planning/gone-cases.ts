import type { Problem } from '../../core/problem.ts';
import type { RunOptions } from '../../core/run-options.ts';
import { plural } from '../../lib/text/plural.ts';
import type { Project } from '../binding/machine.ts';
import type { FailedTrials } from './failed-trials.ts';

/** A warning about failed cases that were removed or renamed, because a green run would not show that they are missing. */
export function goneCases(
  failed: FailedTrials['cases'],
  { project, options }: { readonly project: Pick<Project, 'suites'>; readonly options: RunOptions },
): readonly Problem[] {
  // What was narrowed down is left out on purpose.
  if (options.patterns.length > 0 || options.select !== undefined) return [];
  const wanted = new Set(failed.map(({ suite }) => suite));
  const found = project.suites.filter(({ id }) => wanted.has(id));
  const ids = new Map(found.map(({ id, cases }) => [id, idsOf(cases)]));
  const gone = failed.filter(({ suite, caseId }) => ids.get(suite)?.has(caseId) !== true);
  const [first] = gone;
  if (first === undefined) return [];
  const names = gone.slice(0, MAX_NAMED).map(({ caseId }) => caseId);
  const more = gone.length > names.length ? ` and ${gone.length - names.length} more` : '';
  return [
    {
      file: first.suite,
      code: 'failed-cases-gone',
      message: `${plural(gone.length, 'case')} that failed in ${options.failed ?? 'the run'} no longer ${gone.length === 1 ? 'exists' : 'exist'}, so ${gone.length === 1 ? 'it is' : 'they are'} not run: ${names.join(', ')}${more}`,
      hint: 'if you renamed cases or files, run them by their new names with --case',
    },
  ];
}

const MAX_NAMED = 5;

function idsOf(cases: Project['suites'][number]['cases']): ReadonlySet<string> {
  const ids = new Set<string>();
  for (let index = 0; index < cases.length; index += 1) ids.add(cases.at(index).id);
  return ids;
}
