import type { Judges as Found } from '../../../../src/api/resources/judge.ts';
import { percentText } from '../../../../src/reading/phrases.ts';
import { NOT_CALIBRATED, NotCalibrated } from '../../parts/not-calibrated.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { useJudges } from '../../queries.ts';

type FoundJudge = Found['data'][number];

const MOST_SHOWN = 3;

/** Each grader that asked a model, and how far people agree with it; expected outcomes first, and many are folded. */
export function Judges({ run }: { readonly run: string }) {
  const judges = useJudges(run);
  const found = (judges.data?.data ?? []).toSorted((one, other) => rank(one) - rank(other));
  if (found.length === 0) return null;
  const isAlike = found.every(({ says }) => says === found[0]?.says);
  return (
    <section aria-labelledby="judges">
      <h2 id="judges">Judges</h2>
      {found.some(({ says }) => says === NOT_CALIBRATED) ? <NotCalibrated run={run} /> : null}
      <JudgeList isAlike={isAlike} of={found.slice(0, MOST_SHOWN)} />
      {found.length > MOST_SHOWN ? (
        <details>
          <summary>{found.length - MOST_SHOWN} more</summary>
          <JudgeList isAlike={isAlike} of={found.slice(MOST_SHOWN)} />
        </details>
      ) : null}
    </section>
  );
}

/** An expected outcome decides about its trial; a metric often does not. */
function rank({ expectation }: FoundJudge): number {
  return expectation.includes('/outcome/') ? 0 : 1;
}

interface JudgeListProps extends Pick<JudgeProps, 'isAlike'> {
  readonly of: readonly FoundJudge[];
}

function JudgeList({ of, isAlike }: JudgeListProps) {
  return (
    <ul className="plain-list">
      {of.map((judge) => (
        <Judge
          key={`${judge.expectation} ${judge.models.join()} ${judge.state}`}
          judge={judge}
          isAlike={isAlike}
        />
      ))}
    </ul>
  );
}

interface JudgeProps {
  readonly judge: FoundJudge;
  /** Whether people agree with all judges of the run alike. */
  readonly isAlike: boolean;
}

function Judge({ judge, isAlike }: JudgeProps) {
  const { expectation, models, passed, decided, undecided, says } = judge;
  const isSaidAbove = isAlike && says === NOT_CALIBRATED;
  return (
    <li>
      {safeText(expectation)} <span className="quiet">by {safeText(models.join(', '))}</span>
      <br />
      <small>
        passed {passed}/{decided}
        {decided === 0 ? '' : ` = ${percentText(passed / decided)}`}
        {undecided === 0 ? '' : `, ${undecided} not decided`}
        {isSaidAbove ? '' : `; ${safeText(says)}`}
      </small>
    </li>
  );
}
