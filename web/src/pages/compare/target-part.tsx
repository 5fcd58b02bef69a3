import { LongText } from '../../parts/long-text.tsx';
import { safeText } from '../../parts/safe-text.ts';
import type { Compared } from '../../compared.ts';
import { BothSides } from './both-sides.tsx';
import { CaseList, MovedTable } from './case-lists.tsx';
import type { ScoreScale } from '../../../../src/core/test-case.ts';
import type { ComparedValue, TargetComparison } from '../../../../src/core/run-comparison.ts';
import { Differences } from './differences.tsx';
import { FewCases } from './few-cases.tsx';
import { Numbers } from './numbers.tsx';
import { isSameList } from './points.ts';
import { reasonWords, sentenceWords } from './sentence-words.ts';
import { Tags } from './tags.tsx';

interface TargetPartProps {
  readonly comparison: TargetComparison;
  /** By the id of a stored case. */
  readonly caseNames: Readonly<Record<string, string>>;
  readonly runs: Compared;
  /** What the comparison is about. */
  readonly on: ComparedValue;
  readonly scale: ScoreScale;
  /** The sentence of the whole then says it already. */
  readonly isOnly: boolean;
}

/** One target compared with its counterpart. */
export function TargetPart({ comparison, caseNames, runs, on, scale, isOnly }: TargetPartProps) {
  const { targets, sentence, reasons, newlyFallen } = comparison;
  const sides = { runs, targets, caseNames, scale };
  const name = targets.base === targets.candidate ? targets.base : `${targets.base} → ${targets.candidate}`;
  return (
    <section aria-label={safeText(name)}>
      <h2>{safeText(name)}</h2>
      {isOnly ? null : (
        <>
          <p className={`sentence ${comparison.verdict}`}>
            {safeText(sentenceWords({ sentence, reasons, caseNames }))}
          </p>
          <FewCases of={comparison} />
        </>
      )}
      <BothSides runs={runs} targets={targets} />
      <Numbers comparison={comparison} on={on} scale={scale} />
      {reasons.every(({ message }) => sentence.includes(message)) ? null : (
        <Reasons of={reasons} caseNames={caseNames} />
      )}
      {newlyFallen.length === 0 ? null : (
        <p>Newly failing required graders: {safeText(newlyFallen.join(', '))}</p>
      )}
      <div className="sides">
        <MovedTable title="Worse" cases={comparison.worse} on={on} {...sides} />
        <MovedTable title="Better" cases={comparison.better} on={on} {...sides} />
        {isSameList(comparison.worse, comparison.passedLess) ? null : (
          <MovedTable title="Passed less often" cases={comparison.passedLess} on="passed" {...sides} />
        )}
        {isSameList(comparison.better, comparison.passedMore) ? null : (
          <MovedTable title="Passed more often" cases={comparison.passedMore} on="passed" {...sides} />
        )}
      </div>
      {comparison.result === null ? null : <Tags on={on} {...sides} />}
      <CaseList title="Only in the base" caseNames={caseNames} cases={comparison.onlyInBase} />
      <CaseList title="Only in the candidate" caseNames={caseNames} cases={comparison.onlyInCandidate} />
      <CaseList
        title="Not measured"
        caseNames={caseNames}
        cases={comparison.notMeasured}
        detail={({ side }) => `on ${side === 'both' ? 'both sides' : `the ${side}`}`}
      />
      <CaseList
        title="Changed"
        caseNames={caseNames}
        cases={comparison.changed}
        detail={({ what }) => what.join(', ')}
      />
      <Differences differs={comparison.differs} targets={targets} runs={runs} />
    </section>
  );
}

interface ReasonsProps extends Pick<TargetPartProps, 'caseNames'> {
  readonly of: TargetComparison['reasons'];
}

/** Why two sides cannot be compared. */
function Reasons({ of, caseNames }: ReasonsProps) {
  return (
    <div className="problem">
      <p>These two sides cannot be compared:</p>
      <ul>
        {of
          .map((reason) => reasonWords(reason, caseNames))
          .map(({ message, hint }) => (
            <li key={message}>
              <LongText text={message} most={1000} />
              {hint === undefined ? null : <p className="quiet">{safeText(hint)}</p>}
            </li>
          ))}
      </ul>
    </div>
  );
}
