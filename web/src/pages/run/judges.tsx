import type { Judges as Found } from '../../../../src/api/resources/judge.ts';
import { percentText } from '../../../../src/reading/phrases.ts';
import { safeText } from '../../parts/safe-text.ts';
import { useJudges } from '../../queries.ts';

/** Each grader that asked a model, and how far people agree with it. */
export function Judges({ run }: { readonly run: string }) {
  const judges = useJudges(run);
  const found = judges.data?.data ?? [];
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="judges">
      <h2 id="judges">Judges</h2>
      <ul className="plain-list">
        {found.map((judge) => (
          <Judge key={`${judge.expectation} ${judge.models.join()} ${judge.state}`} judge={judge} />
        ))}
      </ul>
    </section>
  );
}

function Judge({ judge }: { readonly judge: Found['data'][number] }) {
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
