import { expectingNothingText, leavingOutcomesText } from '../../../../src/reading/phrases.ts';
import { useCaseNames } from '../../cases/queries.ts';
import { ConditionsToPass } from '../../parts/conditions-to-pass.tsx';
import { DataTable, numbers } from '../../parts/data-table.tsx';
import { Figure } from '../../parts/facts.tsx';
import { Name } from '../../parts/name.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { usdText, type Plan } from './plan.ts';

const MOST_CASES = 50;

interface PlanViewProps {
  readonly plan: Plan;
}

/** What would run, what counts as passing, and what it is expected to cost. */
export function PlanView({
  plan: { trials, seed, cases, estimate, passing, expectingNothing, leavingOutcomes },
}: PlanViewProps) {
  const shown = cases.slice(0, MOST_CASES);
  const names = useCaseNames(shown.map(({ id }) => id));
  const skipped = cases.filter(({ skip }) => skip !== undefined).length;
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">Plan</h2>
      <dl className="figures">
        <Figure title="Trials" value={trials} />
        <Figure title="Cases" value={cases.length}>
          {skipped === 0 ? null : <small>{skipped} of them are skipped</small>}
        </Figure>
        <Figure title="Seed" value={seed} />
        <Figure
          title="Estimated cost"
          value={estimate.usd === null ? <span className="quiet">unknown</span> : usdText(estimate.usd)}
        >
          {estimate.parts.map(({ name, usd }) => (
            <small key={name}>
              {safeText(name)}: {usdText(usd)}
            </small>
          ))}
        </Figure>
      </dl>
      {estimate.unknown.length === 0 ? null : (
        <details>
          <summary>Why some costs are unknown</summary>
          <ul>
            {estimate.unknown.map((reason) => (
              <li key={reason}>{safeText(reason)}</li>
            ))}
          </ul>
        </details>
      )}
      <Passing groups={passing} expectingNothing={expectingNothing} leavingOutcomes={leavingOutcomes} />
      <DataTable isLow label="Cases of the plan" columns={['Case', 'Targets', numbers('Repetitions')]}>
        {shown.map(({ id, targets, repeat, skip }, at) => (
          <tr key={at}>
            <th scope="row">
              <Name text={names.get(id) ?? id} />
              {skip === undefined ? null : <small>skipped: {safeText(skip.reason ?? skip.kind)}</small>}
            </th>
            <td>
              <Name text={targets.join(', ')} />
            </td>
            <td className="number">{repeat}</td>
          </tr>
        ))}
      </DataTable>
      {cases.length > MOST_CASES ? (
        <p className="quiet">
          The first {MOST_CASES} of {cases.length} cases.
        </p>
      ) : null}
    </section>
  );
}

const MOST_GROUPS = 5;

interface PassingProps extends Pick<Plan, 'expectingNothing' | 'leavingOutcomes'> {
  readonly groups: Plan['passing'];
}

function Passing({ groups, expectingNothing, leavingOutcomes }: PassingProps) {
  const more = groups.length - MOST_GROUPS;
  return (
    <div className="part">
      <h3>What counts as passing</h3>
      {expectingNothing === 0 ? null : <p className="warns">{expectingNothingText(expectingNothing)}.</p>}
      {leavingOutcomes === 0 ? null : <p className="warns">{leavingOutcomesText(leavingOutcomes)}.</p>}
      {groups.slice(0, MOST_GROUPS).map(({ conditions, cases }) => (
        <div key={JSON.stringify(conditions)}>
          {groups.length === 1 ? null : <p>{cases === 1 ? '1 case' : `${cases} cases`}:</p>}
          <ConditionsToPass conditions={conditions} />
        </div>
      ))}
      {more > 0 ? (
        <p className="quiet">Other cases have other conditions; the page of a case shows them.</p>
      ) : null}
    </div>
  );
}
