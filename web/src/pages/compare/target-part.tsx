import { LongText } from '../../parts/long-text.tsx';
import { safeText } from '../../parts/safe-text.ts';
import type { Compared } from '../../queries.ts';
import { CaseList, MovedTable } from './case-lists.tsx';
import type { TargetComparison } from './comparison.ts';
import { pointsText, smallestText } from './points.ts';

interface TargetPartProps {
  readonly comparison: TargetComparison;
  readonly runs: Compared;
  /** The sentence of the whole then says it already. */
  readonly isOnly: boolean;
}

/** One target compared with its counterpart. */
export function TargetPart({ comparison, runs, isOnly }: TargetPartProps) {
  const { targets, result, sentence, reasons, newlyFallen } = comparison;
  const name = targets.base === targets.candidate ? targets.base : `${targets.base} → ${targets.candidate}`;
  return (
    <section aria-label={safeText(name)}>
      <h2>{safeText(name)}</h2>
      {isOnly ? null : <p className={`sentence ${comparison.verdict}`}>{safeText(sentence)}</p>}
      {result === null ? null : (
        <dl className="facts">
          <div>
            <dt>Smallest change it could have seen</dt>
            <dd>{smallestText(result)}</dd>
          </div>
          <div>
            <dt>Mean difference</dt>
            <dd>
              {pointsText(result.difference)}, 95 % interval [{pointsText(result.interval.lower)},{' '}
              {pointsText(result.interval.upper)}]
            </dd>
          </div>
          <div>
            <dt>p</dt>
            <dd>{Number(result.p.toPrecision(2))}</dd>
          </div>
        </dl>
      )}
      {reasons.length === 0 ? null : (
        <div className="problem">
          <p>These two sides cannot be compared:</p>
          <ul>
            {reasons.map(({ message, hint }) => (
              <li key={message}>
                <LongText text={message} most={1000} />
                {hint === undefined ? null : <p className="quiet">{safeText(hint)}</p>}
              </li>
            ))}
          </ul>
        </div>
      )}
      {newlyFallen.length === 0 ? null : <p>Gates that newly fell: {safeText(newlyFallen.join(', '))}</p>}
      <MovedTable title="Worse" cases={comparison.worse} runs={runs} targets={targets} />
      <MovedTable title="Better" cases={comparison.better} runs={runs} targets={targets} />
      <MovedTable title="Passed less often" cases={comparison.passedLess} runs={runs} targets={targets} />
      <MovedTable title="Passed more often" cases={comparison.passedMore} runs={runs} targets={targets} />
      <CaseList title="Only in the base" cases={comparison.onlyInBase} />
      <CaseList title="Only in the candidate" cases={comparison.onlyInCandidate} />
      <CaseList
        title="Not measured"
        cases={comparison.notMeasured}
        detail={({ side }) => `on ${side === 'both' ? 'both sides' : `the ${side}`}`}
      />
      <CaseList title="Changed" cases={comparison.changed} detail={({ what }) => what.join(', ')} />
      <Differences differs={comparison.differs} />
    </section>
  );
}

function Differences({ differs }: Pick<TargetComparison, 'differs'>) {
  if (differs.length === 0) return <p className="quiet">Nothing differs in the target.</p>;
  return (
    <>
      <h3>What differs in the target</h3>
      <div className="scroll" tabIndex={0} role="group" aria-label="What differs in the target">
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Base</th>
              <th scope="col">Candidate</th>
            </tr>
          </thead>
          <tbody>
            {differs.map(({ what, base, candidate }) => (
              <tr key={what}>
                <th scope="row">{safeText(what)}</th>
                <td>
                  {base === null ? (
                    <span className="quiet">absent</span>
                  ) : (
                    <LongText text={base} most={300} />
                  )}
                </td>
                <td>
                  {candidate === null ? (
                    <span className="quiet">absent</span>
                  ) : (
                    <LongText text={candidate} most={300} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
