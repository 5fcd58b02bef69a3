import { expect, test } from 'vitest';

import type { TrendPoint } from '../../../../src/api/resources/trends.ts';
import { measureOf, MEASURES, newestFirst, newVersions, seriesOf } from './series.ts';

const point = (at: string, changes: Partial<TrendPoint> = {}): TrendPoint => ({
  run_id: at,
  at,
  agent_version: null,
  target: 'agent',
  line: 'shop',
  case_digest: 'one',
  counts: { passed: 1, failed: 1 },
  rate: 0.5,
  rate_of_cases: null,
  interval: { lower: 0.1, upper: 0.9 },
  errored: 0,
  score: null,
  scored_in: 'fraction',
  flake_rate: null,
  cost_usd: null,
  cost_unknown: false,
  latency_p95_ms: null,
  judging: null,
  ...changes,
});

test('a line breaks where the cases or graders change, and comes back as another one', () => {
  const points = [
    point('2026-01-03', { case_digest: 'two' }),
    point('2026-01-01'),
    point('2026-01-02'),
    point('2026-01-02', { target: 'other' }),
    point('2026-01-04'),
  ];
  expect(seriesOf(points).map(({ name, points: joined }) => [name, joined.map(({ at }) => at)])).toEqual([
    ['agent · shop', ['2026-01-01', '2026-01-02']],
    ['other · shop', ['2026-01-02']],
    ['agent · shop', ['2026-01-03']],
    ['agent · shop', ['2026-01-04']],
  ]);
});

test('a table has the points by date, each with the one before it of the same cases', () => {
  const series = seriesOf([
    point('2026-01-01'),
    point('2026-01-02', { target: 'other' }),
    point('2026-01-03'),
    point('2026-01-04', { case_digest: 'two' }),
  ]);
  expect(
    newestFirst(series).map(({ point: { at }, before, isChanged }) => [at, before?.at, isChanged]),
  ).toEqual([
    ['2026-01-04', undefined, true],
    ['2026-01-03', '2026-01-01', false],
    ['2026-01-02', undefined, false],
    ['2026-01-01', undefined, false],
  ]);
});

test('what is not measured is a gap and not 0', () => {
  expect(Object.values(MEASURES).map(({ of }) => of(point('2026-01-01', { rate: null })))).toEqual([
    null,
    0,
    null,
    null,
    null,
    null,
  ]);
  expect([measureOf('cost'), measureOf('toString'), measureOf(undefined)]).toEqual(['cost', 'rate', 'rate']);
});

test('a version of an agent is marked where it is new, and not at the first point', () => {
  const versions = ['1', '1', '2', null, null, '2'];
  const [series] = seriesOf(
    versions.map((agent_version, at) => point(`2026-01-0${at + 1}`, { agent_version })),
  );
  expect(series && newVersions(series).map(({ at }) => at)).toEqual([
    '2026-01-03',
    '2026-01-04',
    '2026-01-06',
  ]);
});
