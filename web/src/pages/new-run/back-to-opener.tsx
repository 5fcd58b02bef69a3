import type { CaseFilters } from '../../cases/case-filters.ts';
import { useCaseNames } from '../../cases/queries.ts';
import { Back } from '../../parts/back.tsx';
import { lineText } from '../../parts/cut.ts';
import { safeText } from '../../parts/safe-text.ts';

interface OpenerProps {
  /** The earlier run that the form is filled in as. */
  readonly run: string | undefined;
  readonly ids: readonly string[] | undefined;
  readonly filters: CaseFilters;
}

/** Leads to where the form was opened: a run, a case, or the list of cases. */
export function BackToOpener({ run, ids = NO_CASES, filters }: OpenerProps) {
  const [only = ''] = ids;
  const isOne = run === undefined && ids.length === 1;
  const name = useCaseNames(isOne ? ids : NO_CASES).get(only);
  if (run !== undefined)
    return (
      <Back to="/runs/$run" params={{ run }}>
        Run {safeText(run)}
      </Back>
    );
  if (isOne)
    return (
      <Back to="/cases/$id" params={{ id: only }}>
        {safeText(lineText(name ?? 'Test case', 80))}
      </Back>
    );
  return (
    <Back to="/cases" search={filters}>
      Cases
    </Back>
  );
}

const NO_CASES: readonly string[] = [];
