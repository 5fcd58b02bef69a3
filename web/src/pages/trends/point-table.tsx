import { Link, useNavigate, useSearch } from '@tanstack/react-router';

import type { TrendPoint } from '../../../../src/api/resources/trends.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { lineName } from '../../parts/line-name.ts';
import { Name } from '../../parts/name.tsx';
import { afterClick } from '../../parts/picks.ts';
import { safeText } from '../../parts/safe-text.ts';
import { Time } from '../../parts/time.tsx';
import { PointCells, POINT_COLUMNS } from './point-cells.tsx';
import { newestFirst, type JoinedPoint, type Series } from './series.ts';

const COLUMNS = ['Select', 'Run', 'Target', ...POINT_COLUMNS, 'Before'];

/** The numbers of the chart; two of its points can be compared. */
export function PointTable({ series }: { readonly series: readonly Series[] }) {
  const { pick = [] } = useSearch({ from: '/trends' });
  const navigate = useNavigate({ from: '/trends' });
  const points = newestFirst(series);
  const oldestFirst = points
    .filter(({ point }) => pick.includes(sideOf(point)))
    .toSorted((left, right) => (left.point.at < right.point.at ? -1 : 1));
  const [base, candidate] = oldestFirst;
  return (
    <>
      <p>
        <button
          type="button"
          className="main"
          disabled={base === undefined || candidate === undefined}
          onClick={() => {
            if (base === undefined || candidate === undefined) return;
            void navigate({
              to: '/compare',
              search: { base: sideOf(base.point), candidate: sideOf(candidate.point) },
            });
          }}
        >
          Compare the two selected points
        </button>
      </p>
      <DataTable label="Runs over time" columns={COLUMNS}>
        {points.map((joined) => {
          const { point } = joined;
          const side = sideOf(point);
          return (
            <PointRow
              key={side}
              {...joined}
              isPicked={pick.includes(side)}
              onPick={() =>
                void navigate({
                  // Of the address as it is then: it may be ahead of what is drawn.
                  search: ({ pick: now = [], ...others }) => {
                    const picked = afterClick(now, side);
                    return picked.length === 0 ? others : { ...others, pick: picked };
                  },
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          );
        })}
      </DataTable>
    </>
  );
}

interface PointRowProps extends JoinedPoint {
  readonly isPicked: boolean;
  readonly onPick: () => void;
}

function PointRow({ point, before, isChanged, isPicked, onPick }: PointRowProps) {
  return (
    <tr className={isPicked ? 'picked' : undefined}>
      <td>
        <input
          type="checkbox"
          aria-label={`Select ${safeText(sideOf(point))}`}
          checked={isPicked}
          onChange={onPick}
        />
      </td>
      <th scope="row" className="keep">
        <Link data-row to="/runs/$run" params={{ run: point.run_id }}>
          <Time at={point.at} />
        </Link>
        <small>
          <Name text={lineName(point.line ?? '')} />
        </small>
      </th>
      <td>
        <Name text={point.target} />
        {point.agent_version === null ? null : <small>version {safeText(point.agent_version)}</small>}
      </td>
      <PointCells point={point} />
      <td className="keep">
        {before === undefined ? (
          <span className="quiet">{isChanged ? 'other cases or graders' : 'first run'}</span>
        ) : (
          <Link to="/compare" search={{ base: sideOf(before), candidate: sideOf(point) }}>
            compare
          </Link>
        )}
      </td>
    </tr>
  );
}

function sideOf({ run_id: run, target }: TrendPoint): string {
  return `${run}#${target}`;
}
