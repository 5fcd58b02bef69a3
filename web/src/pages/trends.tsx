import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';

import type { TrendPoint } from '../../../src/api/resources/trends.ts';
import { given } from '../../../src/lib/given.ts';
import { useFeed } from '../feed/use-feed.ts';
import { lineName } from '../parts/line-name.ts';
import { safeText } from '../parts/safe-text.ts';
import { NoRuns } from '../parts/no-runs.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { validLanguage } from '../parts/valid-language.ts';
import { useTrends } from '../queries.ts';
import { DayField } from './trends/day-field.tsx';
import { periodOf, type Period } from './trends/period.ts';
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
  const { show, pick: _pick, since, until, ...filters } = useSearch({ from: '/trends' });
  const period = periodOf(given({ since, until }));
  const isNarrowed = Object.keys({ ...filters, ...period.asked }).length > 0;
  const all = useTrends({});
  const trends = useTrends({ ...filters, ...period.asked });
  return (
    <>
      <h1>Trends</h1>
      <Filters points={all.data?.data ?? []} problems={period.problems} />
      {trends.isPending ? <Loading what="trends" /> : null}
      {trends.isError ? <Failed error={trends.error} /> : null}
      {trends.data === undefined ? null : (
        <Points points={trends.data.data} show={show} isNarrowed={isNarrowed} />
      )}
    </>
  );
}

interface FiltersProps {
  readonly points: readonly TrendPoint[];
  readonly problems: Period['problems'];
}

function Filters({ points, problems }: FiltersProps) {
  const search = useSearch({ from: '/trends' });
  const navigate = useNavigate({ from: '/trends' });
  const lines = points.flatMap(({ line }) => (line === null ? [] : [line]));
  const choose = (name: 'target' | 'line' | 'since' | 'until', value: string) => {
    void navigate({
      search: (now) => {
        const { [name]: _, ...rest } = now;
        return value === '' ? rest : { ...rest, [name]: value };
      },
      replace: true,
    });
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
            activeOptions={{ exact: true }}
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
      <Choice
        title="Line"
        names={lines}
        value={search.line}
        onChoose={(value) => choose('line', value)}
        textOf={lineName}
      />
      <div className="row">
        {(['since', 'until'] as const).map((bound) => (
          <DayField
            key={bound}
            title={bound === 'since' ? 'From' : 'Until'}
            value={search[bound]}
            problem={problems[bound]}
            onChoose={(value) => choose(bound, value)}
          />
        ))}
      </div>
    </div>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly names: readonly string[];
  readonly value: string | undefined;
  readonly onChoose: (value: string) => void;
  /** How a name is shown. */
  readonly textOf?: (name: string) => string;
}

function Choice({ title, names, value, onChoose, textOf = (name) => name }: ChoiceProps) {
  const known = new Set([...names, ...(value === undefined ? [] : [value])]);
  return (
    <label>
      <span>{title}</span>
      <select value={value ?? ''} onChange={({ target }) => onChoose(target.value)}>
        <option value="">all</option>
        {[...known].toSorted().map((name) => (
          <option key={name} value={name}>
            {safeText(textOf(name))}
          </option>
        ))}
      </select>
    </label>
  );
}

interface PointsProps {
  readonly points: readonly TrendPoint[];
  readonly show: string | undefined;
  readonly isNarrowed: boolean;
}

function Points({ points, show, isNarrowed }: PointsProps) {
  const series = useMemo(() => seriesOf(points), [points]);
  if (points.length === 0) {
    return isNarrowed ? (
      <Empty>No ended run matches these filters.</Empty>
    ) : (
      <NoRuns said="No run has ended yet." />
    );
  }
  return (
    <>
      <Suspense fallback={<Loading what="the chart" />}>
        <Chart series={series} measure={measureOf(show)} />
      </Suspense>
      <PointTable series={series} />
    </>
  );
}
