import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';

import type { TrendPoint } from '../../../src/api/resources/trends.ts';
import { useFeed } from '../feed/use-feed.ts';
import { safeText } from '../parts/safe-text.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { validLanguage } from '../parts/valid-language.ts';
import { useTrends } from '../queries.ts';
import { PointTable } from './trends/point-table.tsx';
import { measureOf, MEASURES, seriesOf } from './trends/series.ts';

const Chart = lazy(async () => {
  validLanguage();
  return { default: (await import('./trends/chart.tsx')).Chart };
});

/** How targets do from run to run. */
export function TrendsPage() {
  useTitle('Trends');
  useRowKeys();
  useFeed('all');
  const { show, pick: _pick, ...filters } = useSearch({ from: '/trends' });
  const all = useTrends({});
  const trends = useTrends(filters);
  return (
    <>
      <h1>Trends</h1>
      <Filters points={all.data?.data ?? []} />
      {trends.isPending ? <Loading what="trends" /> : null}
      {trends.isError ? <Failed error={trends.error} /> : null}
      {trends.data === undefined ? null : <Points points={trends.data.data} show={show} />}
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
    <div className="tools">
      <div className="chips" role="group" aria-label="What is drawn">
        {Object.entries(MEASURES).map(([name, { title }]) => (
          <Link
            key={name}
            to="/trends"
            search={{ ...search, show: name }}
            aria-current={measureOf(search.show) === name ? 'true' : undefined}
            activeProps={{}}
            replace
            resetScroll={false}
          >
            {title}
          </Link>
        ))}
      </div>
      <Choice
        title="Target"
        names={points.map(({ target }) => target)}
        value={search.target}
        onChoose={(value) => choose('target', value)}
      />
      <Choice title="Tests" names={lines} value={search.line} onChoose={(value) => choose('line', value)} />
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
      <span>{title}</span>
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

interface PointsProps {
  readonly points: readonly TrendPoint[];
  readonly show: string | undefined;
}

function Points({ points, show }: PointsProps) {
  const series = useMemo(() => seriesOf(points), [points]);
  if (points.length === 0) return <Empty>No ended run matches these filters.</Empty>;
  return (
    <>
      <Suspense fallback={<Loading what="the chart" />}>
        <Chart series={series} measure={measureOf(show)} />
      </Suspense>
      <PointTable series={series} />
    </>
  );
}
