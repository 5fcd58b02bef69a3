import type { Row } from '../core/run.ts';
import { spreadOf, type Spread } from '../lib/spread.ts';

/** A measured value of a trial, or of each of its turns. */
export type Measure = 'score' | 'duration' | 'latency' | 'cost' | 'tokens';

/** Values from `from` up to `to`. Only the last bucket includes `to`. */
export interface Bucket {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface Distribution extends Spread {
  readonly measure: Measure;
  readonly min: number | null;
  /** Adjacent buckets of equal width. Empty without values. */
  readonly buckets: readonly Bucket[];
}

export interface DistributionCollector {
  add(row: Row): void;
  /** The distributions of all targets, or of one. */
  distributions(target?: string): readonly Distribution[];
}

const MEASURES: readonly Measure[] = ['score', 'duration', 'latency', 'cost', 'tokens'];

type Values = Readonly<Record<Measure, number[]>>;

/** Collects the values of measured trials: scores, milliseconds, and the agent's US dollars and tokens. */
export function collectDistributions(): DistributionCollector {
  const targets = new Map<string, Values>();
  return {
    add(row) {
      if (row.verdict !== 'passed' && row.verdict !== 'failed') return;
      const own = targets.get(row.target) ?? { score: [], duration: [], latency: [], cost: [], tokens: [] };
      targets.set(row.target, own);
      const { score, durationMs, latency = [], usage, costUsd } = row;
      if (score !== null) own.score.push(score);
      if (row.cached === undefined) own.duration.push(durationMs);
      for (const ms of latency) own.latency.push(ms);
      if (typeof costUsd.agent === 'number') own.cost.push(costUsd.agent);
      if (usage.agent !== undefined) own.tokens.push(usage.agent.totalTokens);
    },
    distributions: (target) => {
      const chosen = [...targets].filter(([name]) => name === (target ?? name));
      return MEASURES.map((measure) =>
        distributionOf(
          measure,
          chosen.flatMap(([, values]) => values[measure]),
        ),
      );
    },
  };
}

function distributionOf(measure: Measure, values: readonly number[]): Distribution {
  const spread = spreadOf(values);
  const min = values.reduce<number | null>((least, value) => Math.min(least ?? value, value), null);
  return { measure, ...spread, min, buckets: bucketsOf(measure, values, { min, max: spread.max }) };
}

const MOST_BUCKETS = 20;

function bucketsOf(
  measure: Measure,
  values: readonly number[],
  { min, max }: { readonly min: number | null; readonly max: number | null },
): readonly Bucket[] {
  if (min === null || max === null) return [];
  const isWhole = measure === 'tokens' || measure === 'duration' || measure === 'latency';
  const width = measure === 'score' ? 0.1 : widthFor(max - min, isWhole ? 1 : 0);
  const first = measure === 'score' ? 0 : Math.floor(exact(min / width));
  const last = measure === 'score' ? 10 : Math.max(first + 1, Math.ceil(exact(max / width)));
  const counts = Array.from({ length: last - first }, () => 0);
  for (const value of values) {
    const place = Math.min(counts.length - 1, Math.floor(exact(value / width)) - first);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts.map((count, at) => ({
    from: exact((first + at) * width),
    to: exact((first + at + 1) * width),
    count,
  }));
}

/** Removes rounding errors of decimal products. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}

/** A width of 1, 2 or 5 times a power of ten, so that the range needs at most `MOST_BUCKETS`. */
function widthFor(range: number, least: number): number {
  if (range <= 0) return Math.max(least, 1e-6);
  const power = 10 ** Math.floor(Math.log10(range / MOST_BUCKETS));
  const found = [1, 2, 5, 10].map((step) => step * power).find((width) => range / width <= MOST_BUCKETS - 1);
  return Math.max(least, found ?? 10 * power);
}
