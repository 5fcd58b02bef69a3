import type { TrendPoint } from '../../../../src/api/resources/trends.ts';
import { lineName } from '../../parts/line-name.ts';

/** What can be drawn over time. */
export const MEASURES = {
  rate: { title: 'Pass rate', unit: '%', of: (point: TrendPoint) => percent(point.rate) },
  errored: { title: 'Errored', unit: 'trials', of: (point: TrendPoint) => point.errored },
  score: { title: 'Score', unit: '', of: (point: TrendPoint) => point.score },
  flakes: { title: 'Flake rate', unit: '%', of: (point: TrendPoint) => percent(point.flake_rate) },
  cost: { title: 'Cost', unit: 'USD', of: (point: TrendPoint) => point.cost_usd },
  latency: { title: 'p95 latency', unit: 'ms', of: (point: TrendPoint) => point.latency_p95_ms },
} as const;

export type Measure = keyof typeof MEASURES;

export function measureOf(name: string | undefined): Measure {
  return name !== undefined && Object.hasOwn(MEASURES, name) ? (name as Measure) : 'rate';
}

/** Points that may be joined by a line: one target and line, the same cases and graders. */
export interface Series {
  readonly name: string;
  readonly target: string;
  readonly points: readonly TrendPoint[];
  /** Whether there are earlier points of this target and line, with other cases or graders. */
  readonly isChanged: boolean;
}

/** A point with the one before it in its series. */
export interface JoinedPoint {
  readonly point: TrendPoint;
  readonly before: TrendPoint | undefined;
  readonly isChanged: boolean;
}

/** The points of all series, newest first. */
export function newestFirst(series: readonly Series[]): readonly JoinedPoint[] {
  return series
    .flatMap(({ points, isChanged }) =>
      points.map((point, at): JoinedPoint => ({ point, before: points[at - 1], isChanged })),
    )
    .toSorted((left, right) =>
      left.point.at < right.point.at ? 1 : left.point.at > right.point.at ? -1 : 0,
    );
}

/** Points by target and line, oldest first; where the cases or their graders change, another series begins. */
export function seriesOf(points: readonly TrendPoint[]): readonly Series[] {
  const found: { name: string; target: string; points: TrendPoint[]; isChanged: boolean }[] = [];
  const open = new Map<string, (typeof found)[number]>();
  for (const point of points.toSorted((left, right) => (left.at < right.at ? -1 : 1))) {
    const name = [point.target, ...(point.line === null ? [] : [lineName(point.line)])].join(' · ');
    const known = open.get(name);
    if (known !== undefined && known.points[0]?.case_digest === point.case_digest) {
      known.points.push(point);
      continue;
    }
    const begun = { name, target: point.target, points: [point], isChanged: known !== undefined };
    open.set(name, begun);
    found.push(begun);
  }
  return found;
}

/** The points at which an agent had another version than at the point before. */
export function newVersions({ points }: Series): readonly TrendPoint[] {
  return points.filter(
    ({ agent_version: version }, at) => at > 0 && version !== points[at - 1]?.agent_version,
  );
}

function percent(share: number | null): number | null {
  return share === null ? null : share * 100;
}
