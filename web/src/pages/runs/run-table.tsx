import { Link } from '@tanstack/react-router';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import { durationText } from '../../../../src/reading/phrases.ts';
import { isLive } from '../../feed/is-live.ts';
import { Costs } from '../../parts/costs.tsx';
import { lineText } from '../../parts/cut.ts';
import { DataTable, numbers } from '../../parts/data-table.tsx';
import { Judging } from '../../parts/judging.tsx';
import { lineName, runTitle } from '../../parts/line-name.ts';
import { NoRuns } from '../../parts/no-runs.tsx';
import { Name } from '../../parts/name.tsx';
import { Rate } from '../../parts/rate.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { StateMark } from '../../parts/state-mark.tsx';
import { Empty } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';

interface RunTableProps {
  readonly runs: readonly RunResource[];
  readonly isNarrowed: boolean;
  /** Ids. */
  readonly picked: readonly string[];
  /** Whether runs without results can be selected: they cannot be compared, but changed. */
  readonly mayWrite: boolean;
  readonly onPick: (id: string) => void;
}

const COLUMNS = [
  'Select',
  'Run',
  'State',
  'Tests',
  'Passed',
  numbers('Failed'),
  numbers('Errored'),
  numbers('Cost'),
  numbers('Duration'),
];

export function RunTable({ runs, isNarrowed, picked, mayWrite, onPick }: RunTableProps) {
  if (runs.length === 0) {
    return isNarrowed ? <Empty>No run matches these filters.</Empty> : <NoRuns />;
  }
  const began = runs.map(({ started_at: at }) => at);
  return (
    <DataTable label="Runs" columns={COLUMNS}>
      {runs.map((run) => {
        const isPicked = picked.includes(run.id);
        return (
          <tr key={run.id} className={isPicked ? 'picked' : undefined}>
            <td>
              <input
                type="checkbox"
                aria-label={`Select run ${safeText(run.id)}`}
                checked={isPicked}
                disabled={run.totals === null && !mayWrite}
                onChange={() => onPick(run.id)}
              />
            </td>
            <RunCells run={run} among={began} />
          </tr>
        );
      })}
    </DataTable>
  );
}

interface RunCellsProps {
  readonly run: RunResource;
  /** When the listed runs began. */
  readonly among: readonly (string | null)[];
}

function RunCells({ run, among }: RunCellsProps) {
  const { totals } = run;
  return (
    <>
      <th scope="row" className="keep">
        <Link data-row to="/runs/$run" params={{ run: run.id }}>
          {run.started_at === null ? safeText(run.id) : <Time at={run.started_at} among={among} />}
        </Link>
        {run.started_at === null ? null : <small className="mono">{safeText(run.id)}</small>}
      </th>
      <td>
        <StateMark state={run.state} />
        {isLive(run) && totals !== null && run.planned !== null ? (
          <small>
            {totals.counts.total} of {run.planned}
          </small>
        ) : null}
        {run.kind === 'grade' ? <small>graded again</small> : null}
      </td>
      {totals === null ? (
        <td colSpan={6} className="why">
          {safeText(lineText(run.error?.message ?? ''))}
        </td>
      ) : (
        <>
          <td>
            <Name text={run.name === null && run.line === null ? '' : runTitle(run)} />
            {run.name === null || run.line === null ? null : (
              <small>
                <Name text={lineName(run.line)} />
              </small>
            )}
            <small>
              <Name text={run.targets.join(', ')} />
            </small>
            {run.tags.length === 0 ? null : <small>{safeText(run.tags.join(', '))}</small>}
          </td>
          <td>
            <Rate of={totals} />
            <Judging of={run.judging} run={run.id} />
          </td>
          <td className="number">{totals.byStatus.failed + totals.byStatus['unexpected-passed']}</td>
          <td className="number">{totals.counts.errored}</td>
          <td className="number">
            <Costs of={totals.costUsd} />
          </td>
          <td className="number">{run.duration_ms === null ? '-' : durationText(run.duration_ms)}</td>
        </>
      )}
    </>
  );
}
