import type { Judges as Found } from '../../../../src/api/resources/judge.ts';
import { percentText } from '../../../../src/reading/phrases.ts';
import { safeText } from '../../parts/safe-text.ts';
import { useJudges } from '../../queries.ts';

type FoundJudge = Found['data'][number];

const MOST_SHOWN = 3;

/** Each grader that asked a model, and how far people agree with it; expected outcomes first, and many are folded. */
export function Judges({ run }: { readonly run: string }) {
  const judges = useJudges(run);
  const found = (judges.data?.data ?? []).toSorted((one, other) => rank(one) - rank(other));
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="judges">
      <h2 id="judges">Judges</h2>
      <JudgeList of={found.slice(0, MOST_SHOWN)} />
      {found.length > MOST_SHOWN ? (
        <details>
          <summary>{found.length - MOST_SHOWN} more</summary>
          <JudgeList of={found.slice(MOST_SHOWN)} />
        </details>
      ) : null}
    </section>
  );
}

/** An expected outcome decides about its trial; a metric often does not. */
function rank({ expectation }: FoundJudge): number {
  return expectation.includes('/outcome/') ? 0 : 1;
}

function JudgeList({ of }: { readonly of: readonly FoundJudge[] }) {
  return (
    <ul className="plain-list">
      {of.map((judge) => (
        <Judge key={`${judge.expectation} ${judge.models.join()} ${judge.state}`} judge={judge} />
      ))}
    </ul>
  );
}

function Judge({ judge }: { readonly judge: FoundJudge }) {
  const { expectation, models, passed, decided, undecided, says } = judge;
  return (
    <li>
      {safeText(expectation)} <span className="quiet">by {safeText(models.join(', '))}</span>
      <br />
      <small>
        passed {passed}/{decided}
        {decided === 0 ? '' : ` = ${percentText(passed / decided)}`}
        {undecided === 0 ? '' : `, ${undecided} not decided`}; {safeText(says)}
      </small>
    </li>
  );
}
