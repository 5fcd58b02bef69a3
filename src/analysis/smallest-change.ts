import { fewestFlips } from '../lib/fewest-flips.ts';
import { normalQuantile, studentQuantile } from './distributions.ts';

/** The smallest change that `pairs` pairs show with 80 % power. Null: not even the largest. */
export function smallestChange(pairs: number, noise: Noise, alpha: number): number | null {
  const { variance, flipSize, areFlips } = noise;
  if (pairs < fewestFlips(alpha)) return null;
  // The change x that exceeds its own variance: x^2 = g (variance + flipSize x), minus g x^2 if cases flip.
  const g = reachOf(pairs, noise, alpha) ** 2 / pairs;
  const square = areFlips ? 1 + g : 1;
  const linear = g * flipSize;
  const seen = (linear + Math.sqrt(linear * linear + 4 * square * g * variance)) / (2 * square);
  const smallest = areFlips ? Math.max(seen, fewestFlips(alpha) / pairs) : seen;
  return smallest > 1 ? null : smallest;
}

/** Number of cases that show a change of `detect` with 80 % power. */
export function casesToDetect(detect: number, noise: Noise, alpha: number): number {
  const { variance, flipSize, areFlips } = noise;
  const fewest = areFlips ? fewestFlips(alpha) / detect : fewestFlips(alpha);
  const changed = variance + flipSize * detect - (areFlips ? detect * detect : 0);
  let cases = 1e6;
  // Student's quantiles depend on the result. Three iterations are enough.
  for (let round = 0; round < 3; round++) {
    const needed = (reachOf(cases, noise, alpha) ** 2 * changed) / (detect * detect);
    cases = Math.ceil(Math.max(needed, fewest) - 1e-9);
  }
  return cases;
}

/** Number of standard errors between no change and a change that shows with 80 % power. */
function reachOf(pairs: number, { areFlips }: Noise, alpha: number): number {
  if (areFlips || pairs > 10_000) return normalQuantile(1 - alpha / 2) + normalQuantile(0.8);
  return studentQuantile(1 - alpha / 2, pairs - 1) + studentQuantile(0.8, pairs - 1);
}

/** The random variation of pairs, and how a change adds to it. */
export interface Noise {
  /** Variance of the difference of a pair without a change. */
  readonly variance: number;
  /** Size of the change of affected cases. 0: every case changes a little. */
  readonly flipSize: number;
  /** Whether a case changes completely or not at all. */
  readonly areFlips: boolean;
}
