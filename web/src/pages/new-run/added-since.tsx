import { Link } from '@tanstack/react-router';

import { given } from '../../../../src/lib/given.ts';
import type { CaseFilters } from '../../cases/case-filters.ts';
import { useCases } from '../../cases/queries.ts';
import { lineText } from '../../parts/cut.ts';
import { safeText } from '../../parts/safe-text.ts';
import { useMatrix } from '../../queries.ts';
import { addedCases } from './added-cases.ts';

interface AddedSinceProps {
  /** Id of the earlier run. */
  readonly run: string;
  readonly agent: string | undefined;
  readonly filters: CaseFilters;
}

const MOST_NAMES = 3;

/** Which cases were added since an earlier run, and how to run only those it had. Nothing if none was added. */
export function AddedSince({ run, agent, filters }: AddedSinceProps) {
  const matrix = useMatrix(run).data?.pages[0];
  const cases = useCases(filters).data?.pages[0];
  const earlier = matrix?.cases.map(({ case_id: id }) => id) ?? [];
  const added = addedCases(
    matrix && { items: earlier, isWhole: matrix.next_cursor === null },
    cases && { items: cases.data, isWhole: cases.next_cursor === null },
  );
  if (added.length === 0) return null;
  const names = added.slice(0, MOST_NAMES).map(({ name }) => lineText(name, 80));
  return (
    <p className="note">
      <span>
        {added.length === 1 ? '1 case was' : `${added.length} cases were`} added since that run, and will run
        too: <strong>{safeText(names.join(', '))}</strong>
        {added.length > MOST_NAMES ? ' …' : ''}.{' '}
        <Link to="/runs/new" search={{ ...given({ agent }), again: run, id: earlier }}>
          Run only {earlier.length === 1 ? 'the case' : `the ${earlier.length} cases`} of that run
        </Link>
      </span>
    </p>
  );
}
