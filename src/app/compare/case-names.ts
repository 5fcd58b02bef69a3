import type { CaseComparison } from '../../core/run-comparison.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { isUuid } from '../../lib/uuid.ts';

/** Named cases of each list. */
const MOST_NAMED = 200;

const LISTS = [
  'worse',
  'better',
  'passedLess',
  'passedMore',
  'onlyInBase',
  'onlyInCandidate',
  'notMeasured',
  'changed',
] as const satisfies readonly (keyof CaseComparison)[];

/** The names of the stored cases that comparisons list first, by their ids. Undefined without such cases. */
export async function caseNames(
  comparisons: readonly CaseComparison[],
  runs: readonly Pick<StoredRun, 'rowsOfCases'>[],
): Promise<Readonly<Record<string, string>> | undefined> {
  const unnamed = new Set(
    comparisons
      .flatMap((each) => LISTS.flatMap((list) => each[list].slice(0, MOST_NAMED).map(({ caseId }) => caseId)))
      .filter(isUuid),
  );
  const names = new Map<string, string>();
  for (const run of runs) {
    if (unnamed.size === 0) break;
    for await (const { caseId, caseName } of run.rowsOfCases(new Set(unnamed))) {
      unnamed.delete(caseId);
      if (caseName !== undefined) names.set(caseId, caseName);
    }
  }
  return names.size === 0 ? undefined : Object.fromEntries(names);
}
