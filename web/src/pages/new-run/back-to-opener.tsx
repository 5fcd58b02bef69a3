import type { CaseFilters } from '../../cases/case-filters.ts';
import { useCaseNames } from '../../cases/queries.ts';
import { Back } from '../../parts/back.tsx';
import { lineText } from '../../parts/cut.ts';
import { safeText } from '../../parts/safe-text.ts';

<<<<<<<< HEAD:web/src/pages/new-run/back-to-opener.tsx
interface OpenerProps {
========
interface BackFromRunProps {
>>>>>>>> h/newcomer:web/src/pages/new-run/back-from-run.tsx
  /** The earlier run that the form is filled in as. */
  readonly run: string | undefined;
  readonly ids: readonly string[] | undefined;
  readonly filters: CaseFilters;
}

/** Leads to where the form was opened: a run, a case, or the list of cases. */
<<<<<<<< HEAD:web/src/pages/new-run/back-to-opener.tsx
export function BackToOpener({ run, ids = NO_CASES, filters }: OpenerProps) {
  const [only = ''] = ids;
  const isOne = run === undefined && ids.length === 1;
  const name = useCaseNames(isOne ? ids : NO_CASES).get(only);
  if (run !== undefined)
========
export function BackFromRun({ run, ids = NO_CASES, filters }: BackFromRunProps) {
  const [only = ''] = ids;
  const isOne = run === undefined && ids.length === 1;
  const name = useCaseNames(isOne ? ids : NO_CASES).get(only);
  if (run !== undefined) {
>>>>>>>> h/newcomer:web/src/pages/new-run/back-from-run.tsx
    return (
      <Back to="/runs/$run" params={{ run }}>
        Run {safeText(run)}
      </Back>
    );
<<<<<<<< HEAD:web/src/pages/new-run/back-to-opener.tsx
  if (isOne)
========
  }
  if (isOne) {
>>>>>>>> h/newcomer:web/src/pages/new-run/back-from-run.tsx
    return (
      <Back to="/cases/$id" params={{ id: only }}>
        {safeText(lineText(name ?? 'Test case', 80))}
      </Back>
    );
<<<<<<<< HEAD:web/src/pages/new-run/back-to-opener.tsx
========
  }
>>>>>>>> h/newcomer:web/src/pages/new-run/back-from-run.tsx
  return (
    <Back to="/cases" search={filters}>
      Cases
    </Back>
  );
}

const NO_CASES: readonly string[] = [];
