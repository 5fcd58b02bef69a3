import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';

import type { TrialResource } from '../../../../src/api/resources/trial.ts';
import { durationText, scoreText } from '../../../../src/reading/phrases.ts';
import type { TrialFilters } from '../../filters.ts';
import { columnTitles, numbers, TableHead } from '../../parts/data-table.tsx';
import { CaseName, Name } from '../../parts/name.tsx';
import { scaleIn } from '../../parts/scale-in.ts';
import { Empty } from '../../parts/states.tsx';
import { Verdict } from '../../parts/verdict.tsx';
import { usePlaceInPage } from '../../parts/use-place-in-page.ts';
import { useRun } from '../../queries.ts';
import { reasonOf } from './reason-of.ts';

interface TrialTableProps {
  readonly run: string;
  readonly filters: TrialFilters;
  readonly trials: readonly TrialResource[];
  /** Loads more; undefined if all are loaded or more are on their way. */
  readonly more: (() => void) | undefined;
}

const COLUMNS = ['Case', 'Target', 'Result', numbers('Score'), 'Why', numbers('Duration')];

const ROW_PX = 38;
/** So many rows below the visible ones are drawn, and loaded before somebody gets there. */
const AHEAD = 15;

/** Only the rows near the visible ones are in the page: runs may have 10,000 trials. */
export function TrialTable({ run, filters, trials, more }: TrialTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const virtual = useWindowVirtualizer({
    count: trials.length,
    estimateSize: () => ROW_PX,
    overscan: AHEAD,
    scrollMargin: usePlaceInPage(body),
    getItemKey: (at) => trials[at]?.key ?? at,
  });
  const rows = virtual.getVirtualItems();
  const [first, last] = [rows[0], rows.at(-1)];
  const isNearEnd = last !== undefined && last.index >= trials.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) more?.();
  }, [isNearEnd, more]);
  if (trials.length === 0) {
    const isAll = Object.keys(filters).length === 0;
    return <Empty>{isAll ? 'No trial has ended yet.' : 'No trial matches these filters.'}</Empty>;
  }
  const margin = virtual.options.scrollMargin;
  const above = (first?.start ?? margin) - margin;
  const below = virtual.getTotalSize() - ((last?.end ?? margin) - margin);
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label="Trials">
      <table
        className="stacked"
        style={columnTitles(COLUMNS)}
        aria-rowcount={more === undefined ? trials.length + 1 : -1}
      >
        <TableHead columns={COLUMNS} />
        <tbody ref={body}>
          <Space height={above} />
          {rows.map(({ index, key }) => {
            const trial = trials[index];
            return trial === undefined ? null : (
              <tr key={key} ref={virtual.measureElement} data-index={index} aria-rowindex={index + 2}>
                <TrialCells run={run} filters={filters} trial={trial} />
              </tr>
            );
          })}
          <Space height={below} />
        </tbody>
      </table>
    </div>
  );
}

function Space({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className="space">
      <td colSpan={6} style={{ height }} />
    </tr>
  );
}

interface TrialCellsProps {
  readonly run: string;
  readonly filters: TrialFilters;
  readonly trial: TrialResource;
}

function TrialCells({ run, filters, trial }: TrialCellsProps) {
  const scale = scaleIn(useRun(run).data?.manifest);
  return (
    <>
      <th scope="row">
        <Link
          data-row
          to="/runs/$run/trials/$trial"
          params={{ run, trial: String(trial.number) }}
          search={filters}
        >
          <CaseName id={trial.case_id} name={trial.case_name} />
        </Link>
      </th>
      <td>
        <Name text={trial.target} />
        {trial.repetition > 1 ? <small>repetition {trial.repetition}</small> : null}
      </td>
      <td>
        <Verdict status={trial.status} />
      </td>
      <td className="number">{scoreText(trial.score, scale)}</td>
      <td className="why">
        <Name text={reasonOf(trial)} />
      </td>
      <td className="number">
        {durationText(trial.duration_ms)}
        {trial.cached_from === null ? null : <small>cached</small>}
      </td>
    </>
  );
}
