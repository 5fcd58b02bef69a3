import { Link, useSearch } from '@tanstack/react-router';

import { comparedOf } from '../compared.ts';
import { safeText } from '../parts/safe-text.ts';
import { Empty } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { Side } from './sides/side.tsx';

/** The trials of one case in two runs, side by side. */
export function SidesPage() {
  const search = useSearch({ from: '/compare/trials' });
  const { base, candidate, suite, test_case_id: caseId } = search;
  useTitle(caseId === undefined ? 'Compare trials' : `Compare ${safeText(caseId)}`);
  if (base === undefined || candidate === undefined || caseId === undefined) {
    return (
      <>
        <h1>Compare trials</h1>
        <Empty>
          <Link to="/compare">Compare two runs</Link>, and choose one of their cases.
        </Empty>
      </>
    );
  }
  return (
    <>
      <div className="path">
        <Link to="/compare" search={comparedOf({ ...search })}>
          ← Comparison
        </Link>
      </div>
      <h1>{safeText(caseId)}</h1>
      <div className="sides">
        <Side
          name="base"
          title="Base"
          side={base}
          suite={suite}
          caseId={caseId}
          target={search.base_target}
          trial={search.base_trial}
        />
        <Side
          name="candidate"
          title="Candidate"
          side={candidate}
          suite={suite}
          caseId={caseId}
          target={search.candidate_target}
          trial={search.candidate_trial}
        />
      </div>
    </>
  );
}
