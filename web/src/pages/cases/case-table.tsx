import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';

import type { RunVerdictResource, TestCaseResource } from '../../../../src/api/resources/test-case.ts';
import { useLastVerdicts } from '../../cases/queries.ts';
import { columnTitles, TableHead } from '../../parts/data-table.tsx';
import { Name } from '../../parts/name.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Time } from '../../parts/time.tsx';
import { usePlaceInPage } from '../../parts/use-place-in-page.ts';
import { LastVerdicts } from './last-verdicts.tsx';

interface CaseTableProps {
  readonly cases: readonly TestCaseResource[];
  /** Ids. */
  readonly picked: ReadonlySet<string>;
  /** Absent: nothing can be done with several cases. */
  readonly onPick: ((id: string) => void) | undefined;
  /** Loads more; undefined if all are loaded or more are on their way. */
  readonly more: (() => void) | undefined;
}

const ROW_PX = 56;
const AHEAD = 15;

/** Only the rows near the visible ones are in the page: a store may have 100,000 cases. */
export function CaseTable({ cases, picked, onPick, more }: CaseTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const virtual = useWindowVirtualizer({
    count: cases.length,
    estimateSize: () => ROW_PX,
    overscan: AHEAD,
    scrollMargin: usePlaceInPage(body),
    getItemKey: (at) => cases[at]?.id ?? at,
  });
  const rows = virtual.getVirtualItems();
  const [first, last] = [rows[0], rows.at(-1)];
  const isNearEnd = last !== undefined && last.index >= cases.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) more?.();
  }, [isNearEnd, more]);
  const verdicts = useLastVerdicts(pageAround(cases, first?.index ?? 0));
  const margin = virtual.options.scrollMargin;
  const above = (first?.start ?? margin) - margin;
  const below = virtual.getTotalSize() - ((last?.end ?? margin) - margin);
  const columns = [
    ...(onPick === undefined ? [] : ['Select']),
    'Case',
    'Tags',
    'Status',
    'Last verdicts',
    'Changed',
  ];
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label="Test cases">
      <table
        className="stacked cases"
        style={columnTitles(columns)}
        aria-rowcount={more === undefined ? cases.length + 1 : -1}
      >
        <TableHead columns={columns} />
        <tbody ref={body}>
          <Space height={above} columns={columns.length} />
          {rows.map(({ index, key }) => {
            const shown = cases[index];
            return shown === undefined ? null : (
              <tr
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className={picked.has(shown.id) ? 'picked' : undefined}
              >
                {onPick === undefined ? null : (
                  <Pick of={shown} isPicked={picked.has(shown.id)} onPick={onPick} />
                )}
                <CaseCells of={shown} verdicts={verdicts && (verdicts.get(shown.id) ?? [])} />
              </tr>
            );
          })}
          <Space height={below} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

interface PickProps {
  readonly of: TestCaseResource;
  readonly isPicked: boolean;
  readonly onPick: (id: string) => void;
}

function Pick({ of, isPicked, onPick }: PickProps) {
  return (
    <td>
      <input
        type="checkbox"
        aria-label={`Select ${safeText(of.name)}`}
        checked={isPicked}
        onChange={() => onPick(of.id)}
      />
    </td>
  );
}

/** The cases whose verdicts are asked for together: at most 200, and the same ones while a few rows are scrolled. */
function pageAround(cases: readonly TestCaseResource[], at: number): readonly string[] {
  const start = Math.floor(at / 100) * 100;
  return cases.slice(start, start + 200).map(({ id }) => id);
}

function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className="space">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

interface CaseCellsProps {
  readonly of: TestCaseResource;
  readonly verdicts: readonly RunVerdictResource[] | undefined;
}

function CaseCells({ of, verdicts }: CaseCellsProps) {
  return (
    <>
      <th scope="row">
        <Link data-row to="/cases/$id" params={{ id: of.id }}>
          <Name text={of.name} />
        </Link>
        {of.description === null ? null : (
          <small>
            <Name text={of.description} />
          </small>
        )}
      </th>
      <td>
        <Name text={of.tags.join(', ')} />
      </td>
      <td>
        {of.status}
        {of.difficulty === 'hard' ? <small>hard</small> : null}
      </td>
      <td>{verdicts === undefined ? null : <LastVerdicts verdicts={verdicts} />}</td>
      <td className="keep">
        <Time at={of.updated_at} />
      </td>
    </>
  );
}
