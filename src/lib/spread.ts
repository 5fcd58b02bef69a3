import { round9 } from './text/decimals.ts';

/** Statistics of a list of numbers; p95 is null for fewer than 20 numbers. */
export interface Spread {
  readonly n: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly max: number | null;
  readonly mean: number | null;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  const sum = sorted.reduce((total, value) => total + value, 0);
  return {
    n,
    p50: percentile(sorted, 0.5),
    p95: n < 20 ? null : percentile(sorted, 0.95),
    max: sorted[n - 1] ?? null,
    mean: n === 0 ? null : round9(sum / n),
  };
}

/** Percentile p (0 to 1) at position p(n+1) of sorted values, interpolated; null for an empty list. */
export function percentile(sorted: ArrayLike<number>, p: number): number | null {
  const n = sorted.length;
  if (n === 0) return null;
  const position = Math.min(Math.max(p * (n + 1), 1), n);
  const below = Math.floor(position);
  const low = sorted[below - 1] ?? 0;
  const high = sorted[Math.min(below, n - 1)] ?? low;
  return round9(low + (position - below) * (high - low));
}
