import { Link } from '@tanstack/react-router';

import type { CaseFilters } from '../../cases/case-filters.ts';
import { useCaseNames } from '../../cases/queries.ts';
import { lineText } from '../../parts/cut.ts';
import { safeText } from '../../parts/safe-text.ts';

interface BackProps {
  /** The earlier run that the form is filled in as. */
  readonly run: string | undefined;
  readonly ids: readonly string[] | undefined;
  readonly filters: CaseFilters;
}

/** Leads to where the form was opened: a run, a case, or the list of cases. */
export function Back({ run, ids = NO_CASES, filters }: BackProps) {
  const [only = ''] = ids;
  const isOne = run === undefined && ids.length === 1;
  const name = useCaseNames(isOne ? ids : NO_CASES).get(only);
  return (
    <p className="path">
      {run === undefined ? null : (
        <Link to="/runs/$run" params={{ run }}>
          ← Run {safeText(run)}
        </Link>
      )}
      {isOne ? (
        <Link to="/cases/$id" params={{ id: only }}>
          ← {safeText(lineText(name ?? 'Test case', 80))}
        </Link>
      ) : null}
      {run === undefined && !isOne ? (
        <Link to="/cases" search={filters}>
          ← Cases
        </Link>
      ) : null}
    </p>
  );
}

const NO_CASES: readonly string[] = [];
