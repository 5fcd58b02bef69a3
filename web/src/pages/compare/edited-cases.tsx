import { Link } from '@tanstack/react-router';

import type { TargetComparison } from '../../../../src/core/run-comparison.ts';
import type { Compared } from '../../compared.ts';

interface EditedCasesProps {
  readonly of: TargetComparison;
  readonly compared: Compared;
}

/** That cases were edited between the runs, and the way to compare them all the same. */
export function EditedCases({ of: { changed }, compared }: EditedCasesProps) {
  const edited = changed.filter(({ what }) => what.includes('case')).length;
  if (edited === 0) return null;
  const cases = edited === 1 ? '1 case was' : `${edited} cases were`;
  if (compared.across?.includes('case') === true)
    return <p className="note">{cases} edited between the runs, so the change can come from that.</p>;
  return (
    <p className="note">
      {cases} edited between the runs. Run the older agent again with today's cases, or{' '}
      <Link to="/compare" search={{ ...compared, across: [...(compared.across ?? []), 'case'] }}>
        compare edited cases too
      </Link>
      .
    </p>
  );
}
