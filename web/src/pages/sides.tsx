import { Link, useSearch } from '@tanstack/react-router';

import { comparedOf } from '../compared.ts';
import { lineText } from '../parts/cut.ts';
import { safeText } from '../parts/safe-text.ts';
import { Empty } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useTrials } from '../queries.ts';
import { Side } from './sides/side.tsx';
import { trialsOfSide } from './sides/trials-of-side.ts';

function NothingChosen() {
  useTitle('Compare trials');
  return (
    <>
      <h1>Compare trials</h1>
      <Empty>
        <Link to="/compare">Compare two runs</Link>, and choose one of their cases.
      </Empty>
    </>
  );
}

interface TitleProps {
  readonly of: { readonly suite?: string; readonly base_target?: string };
  readonly caseId: string;
  readonly base: string;
}

/** The name of the case, as the trials of the base tell it. */
function Title({ of, caseId, base }: TitleProps) {
  const trials = useTrials(trialsOfSide({ side: base, suite: of.suite, caseId, target: of.base_target }));
  const name = trials.data?.pages[0]?.data[0]?.case_name ?? caseId;
  useTitle(`Compare ${safeText(lineText(name, 80))}`);
  return <h1>{safeText(name)}</h1>;
}

/** The trials of one case in two runs, side by side. */
export function SidesPage() {
  const search = useSearch({ from: '/compare/trials' });
  const { base, candidate, suite, test_case_id: caseId } = search;
  if (base === undefined || candidate === undefined || caseId === undefined) {
    return <NothingChosen />;
  }
  return (
    <>
      <div className="path">
        <Link to="/compare" search={comparedOf({ ...search })}>
          ← Comparison
        </Link>
      </div>
      <Title of={search} caseId={caseId} base={base} />
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
