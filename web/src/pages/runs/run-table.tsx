import { Link } from '@tanstack/react-router';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import { costsText, durationText } from '../../../../src/reading/phrases.ts';
import { lineText } from '../../parts/cut.ts';
import { Rate } from '../../parts/rate.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { StateMark } from '../../parts/state-mark.tsx';
import { timeText } from '../../parts/times.ts';

interface RunTableProps {
  readonly runs: readonly RunResource[];
  readonly isNarrowed: boolean;
  /** Ids, at most two. */
  readonly picked: readonly string[];
  readonly onPick: (ids: readonly string[]) => void;
}

export function RunTable({ runs, isNarrowed, picked, onPick }: RunTableProps) {
  if (runs.length === 0) {
    return isNarrowed ? (
      <p className="quiet">No run matches these filters.</p>
    ) : (
      <p className="quiet">
        No runs here yet. Start one with <code>assay run</code>.
      </p>
    );
  }
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label="Runs">
      <table>
        <thead>
          <tr>
            <th scope="col">Select</th>
            <th scope="col">Run</th>
            <th scope="col">State</th>
            <th scope="col">Tests</th>
            <th scope="col">Targets</th>
            <th scope="col">Passed</th>
            <th scope="col">Errored</th>
            <th scope="col">Cost</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => {
            const isPicked = picked.includes(run.id);
            const others = picked.filter((id) => id !== run.id);
            return (
              <tr key={run.id} className={isPicked ? 'picked' : undefined}>
                <td>
                  <input
                    type="checkbox"
                    aria-label={`Select run ${run.id}`}
                    checked={isPicked}
                    disabled={run.totals === null}
                    onChange={() => onPick(isPicked ? others : [...others.slice(-1), run.id])}
                  />
                </td>
                <RunCells run={run} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function RunCells({ run }: { readonly run: RunResource }) {
  const { totals } = run;
  return (
    <>
      <th scope="row">
        <Link data-row to="/runs/$run" params={{ run: run.id }}>
          {run.started_at === null ? safeText(run.id) : timeText(run.started_at)}
        </Link>
        <small>{safeText(run.id)}</small>
      </th>
      <td>
        <StateMark state={run.state} />
        {run.state === 'running' && totals !== null && run.planned !== null ? (
          <small>
            {totals.counts.total} of {run.planned}
          </small>
        ) : null}
      </td>
      {totals === null ? (
        <td colSpan={6}>{safeText(lineText(run.error?.message ?? ''))}</td>
      ) : (
        <>
          <td>{safeText(lineText(run.line ?? '', 80))}</td>
          <td>{safeText(lineText(run.targets.join(', '), 80))}</td>
          <td>
            <Rate rate={totals.passRate} />
          </td>
          <td>{totals.counts.errored}</td>
          <td>{costsText(totals.costUsd) ?? '-'}</td>
          <td>{run.duration_ms === null ? '' : durationText(run.duration_ms)}</td>
        </>
      )}
    </>
  );
}
