import { Link } from '@tanstack/react-router';

import type { RunCost } from '../../../../src/api/resources/cost.ts';
import { durationText } from '../../../../src/reading/phrases.ts';
import type { TrialFilters } from '../../filters.ts';
import { lineText } from '../../parts/cut.ts';
import { DataTable, numbers } from '../../parts/data-table.tsx';
import { CaseName } from '../../parts/name.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Empty } from '../../parts/states.tsx';
import { Verdict } from '../../parts/verdict.tsx';
import { moneyText } from './money.ts';

const FIRST = 8;

interface SpenderListProps {
  readonly title: string;
  readonly run: string;
  readonly trials: RunCost['dearest'];
  readonly sort: NonNullable<TrialFilters['sort']>;
}

/** The trials that cost or lasted most. */
export function SpenderList({ title, run, trials, sort }: SpenderListProps) {
  return (
    <section aria-label={title}>
      <div className="row between">
        <h2>{title}</h2>
        {trials.length === 0 ? null : (
          <Link
            to="/runs/$run"
            params={{ run }}
            search={{ sort }}
            hash="trials"
            aria-label={`All trials, ${title}`}
          >
            All
          </Link>
        )}
      </div>
      {trials.length === 0 ? (
        <Empty>{sort === '-cost_usd' ? 'No trial has a known total cost.' : 'No trial was measured.'}</Empty>
      ) : (
        <DataTable label={title} columns={['Case', 'Result', numbers('Cost'), numbers('Duration')]}>
          {trials.slice(0, FIRST).map((trial) => (
            <tr key={trial.key}>
              <th scope="row">
                <Link
                  data-row
                  to="/runs/$run/trials/$trial"
                  params={{ run, trial: String(trial.number) }}
                  search={{ sort }}
                >
                  <CaseName id={trial.case_id} name={trial.case_name} />
                </Link>
                <small>
                  {safeText(lineText(trial.target, 60))}
                  {trial.repetition > 1 ? `, repetition ${trial.repetition}` : ''}
                </small>
              </th>
              <td>
                <Verdict status={trial.status} />
              </td>
              <td className="number">{moneyText(trial)}</td>
              <td className="number">{durationText(trial.duration_ms)}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

interface CaseCostsProps {
  readonly run: string;
  readonly cases: RunCost['cases'];
  readonly count: number;
}

/** What each case cost, on all targets and in all repetitions. */
export function CaseCosts({ run, cases, count }: CaseCostsProps) {
  const columns = ['Case', numbers('Trials'), numbers('Cost'), numbers('Duration of all trials')];
  return (
    <section aria-labelledby="cases">
      <h2 id="cases">By case</h2>
      {count > cases.length ? (
        <p className="quiet">
          The {cases.length} of {count} cases that cost most.
        </p>
      ) : null}
      <DataTable isLow label="By case" columns={columns}>
        {cases.map(({ suite, case_id: id, case_name: name, trials, duration_ms: duration, ...money }) => (
          <tr key={JSON.stringify([suite, id])}>
            <th scope="row">
              <Link to="/runs/$run" params={{ run }} search={{ suite, test_case_id: id }} hash="trials">
                <CaseName id={id} name={name} />
              </Link>
            </th>
            <td className="number">{trials}</td>
            <td className="number">{moneyText(money)}</td>
            <td className="number">{durationText(duration)}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
