import type { Judges as Found } from '../../../../src/api/resources/judge.ts';
import { percentText } from '../../../../src/reading/phrases.ts';
import { NOT_CALIBRATED, NotCalibrated } from '../../parts/not-calibrated.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { useJudges } from '../../queries.ts';

type FoundJudge = Found['data'][number];

const MOST_SHOWN = 3;

/** Each grader that asked a model, and how far people agree with it. Beside expected outcomes, metrics are folded. */
export function Judges({ run }: { readonly run: string }) {
  const judges = useJudges(run);
  const found = judges.data?.data ?? [];
  if (found.length === 0) return null;
  const outcomes = found.filter(isOutcome);
  const first = (outcomes.length === 0 ? found : outcomes).slice(0, MOST_SHOWN);
  const more = found.filter((each) => !first.includes(each));
  const isAlike = found.every(({ says }) => says === found[0]?.says);
  return (
    <section aria-labelledby="judges">
      <h2 id="judges">Judges</h2>
      {found.some(({ says }) => says === NOT_CALIBRATED) ? <NotCalibrated run={run} /> : null}
      <JudgeList isAlike={isAlike} of={first} />
      {more.length === 0 ? null : (
        <details>
          <summary>{more.length} more</summary>
          <JudgeList isAlike={isAlike} of={more} />
        </details>
      )}
    </section>
  );
}

/** An expected outcome decides about its trial; a metric beside it usually does not. */
function isOutcome({ expectation }: FoundJudge): boolean {
  return expectation.includes('/outcome/');
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
