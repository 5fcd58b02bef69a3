import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';

import type { TrendPoint } from '../../../src/api/resources/trends.ts';
import { safeText } from '../parts/safe-text.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { timeText } from '../parts/times.ts';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useTrends } from '../queries.ts';
import { PointCells, POINT_COLUMNS } from './trends/point-cells.tsx';
import { measureOf, MEASURES, seriesOf } from './trends/series.ts';

const Chart = lazy(async () => ({ default: (await import('./trends/chart.tsx')).Chart }));

/** How targets do from run to run. */
export function TrendsPage() {
  useTitle('Trends');
  useRowKeys();
  const { show, ...filters } = useSearch({ from: '/trends' });
  const all = useTrends({});
  const trends = useTrends(filters);
  return (
    <>
      <h1>Trends</h1>
      <Filters points={all.data?.data ?? []} />
      {trends.isPending ? <Loading what="trends" /> : null}
      {trends.isError ? <Failed error={trends.error} /> : null}
      {trends.data === undefined ? null : <Shown points={trends.data.data} show={show} />}
    </>
  );
}

function Filters({ points }: { readonly points: readonly TrendPoint[] }) {
  const search = useSearch({ from: '/trends' });
  const navigate = useNavigate({ from: '/trends' });
  const lines = points.flatMap(({ line }) => (line === null ? [] : [line]));
  const choose = (name: 'target' | 'line', value: string) => {
    const { [name]: _, ...rest } = search;
    void navigate({ search: value === '' ? rest : { ...rest, [name]: value }, replace: true });
  };
  return (
    <div className="tabs">
      <Choice
        title="Target"
        names={points.map(({ target }) => target)}
        value={search.target}
        onChoose={(value) => choose('target', value)}
      />
      <Choice title="Tests" names={lines} value={search.line} onChoose={(value) => choose('line', value)} />
      {Object.entries(MEASURES).map(([name, { title }]) => (
        <Link
          key={name}
          to="/trends"
          search={{ ...search, show: name }}
          aria-current={measureOf(search.show) === name ? 'true' : undefined}
          activeProps={{}}
          replace
        >
          {title}
        </Link>
      ))}
    </div>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly names: readonly string[];
  readonly value: string | undefined;
  readonly onChoose: (value: string) => void;
}

function Choice({ title, names, value, onChoose }: ChoiceProps) {
  const known = new Set([...names, ...(value === undefined ? [] : [value])]);
  return (
    <label>
      {title}{' '}
      <select value={value ?? ''} onChange={({ target }) => onChoose(target.value)}>
        <option value="">all</option>
        {[...known].toSorted().map((name) => (
          <option key={name} value={name}>
            {safeText(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ShownProps {
  readonly points: readonly TrendPoint[];
  readonly show: string | undefined;
}

function Shown({ points, show }: ShownProps) {
  const series = useMemo(() => seriesOf(points), [points]);
  if (points.length === 0) return <p className="quiet">No ended run matches these filters.</p>;
  return (
    <>
      <Suspense fallback={<Loading what="the chart" />}>
        <Chart series={series} measure={measureOf(show)} />
      </Suspense>
      <div className="scroll" tabIndex={0} role="group" aria-label="Runs over time">
        <table>
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col">Target</th>
              {POINT_COLUMNS.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
              <th scope="col">Before</th>
            </tr>
          </thead>
          <tbody>
            {series.flatMap(({ points: joined }) =>
              joined
                .map((point, at) => (
                  <PointRow key={`${point.run_id} ${point.target}`} point={point} before={joined[at - 1]} />
                ))
                .toReversed(),
            )}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface PointRowProps {
  readonly point: TrendPoint;
  readonly before: TrendPoint | undefined;
}

function PointRow({ point, before }: PointRowProps) {
  const side = ({ run_id: run, target }: TrendPoint) => `${run}#${target}`;
  return (
    <tr>
      <th scope="row">
        <Link data-row to="/runs/$run" params={{ run: point.run_id }}>
          {timeText(point.at)}
        </Link>
        <small>{safeText(point.line ?? '')}</small>
      </th>
      <td>
        {safeText(point.target)}
        {point.agent_version === null ? null : <small>version {safeText(point.agent_version)}</small>}
      </td>
      <PointCells point={point} />
      <td>
        {before === undefined ? (
          <span className="quiet">first with these cases and graders</span>
        ) : (
          <Link to="/compare" search={{ base: side(before), candidate: side(point) }}>
            compare
          </Link>
        )}
      </td>
    </tr>
  );
}
