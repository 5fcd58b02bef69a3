import { normalQuantile, studentQuantile } from './distributions.ts';

/** The fewest one-way pairs whose p is below alpha: 6 for 0.05. */
export function fewestFlips(alpha: number): number {
  return Math.floor(1 + Math.log2(1 / alpha) + 1e-9) + 1;
}

/** The smallest change that so many pairs show with 80 % chance; null: not even the largest. */
export function smallestChange(pairs: number, noise: Noise, alpha: number): number | null {
  const { variance, flipSize, areFlips } = noise;
  if (pairs < fewestFlips(alpha)) return null;
  // The change x that outgrows its own variance: x^2 = g (variance + flipSize x), less g x^2 where cases flip.
  const g = reachOf(pairs, noise, alpha) ** 2 / pairs;
  const square = areFlips ? 1 + g : 1;
  const linear = g * flipSize;
  const seen = (linear + Math.sqrt(linear * linear + 4 * square * g * variance)) / (2 * square);
  const smallest = areFlips ? Math.max(seen, fewestFlips(alpha) / pairs) : seen;
  return smallest > 1 ? null : smallest;
}

/** How many cases show a change of `detect` with 80 % chance. */
export function casesToDetect(detect: number, noise: Noise, alpha: number): number {
  const { variance, flipSize, areFlips } = noise;
  const fewest = areFlips ? fewestFlips(alpha) / detect : fewestFlips(alpha);
  const changed = variance + flipSize * detect - (areFlips ? detect * detect : 0);
  let cases = 1e6;
  // Student's quantiles depend on the answer; three rounds settle it.
  for (let round = 0; round < 3; round++) {
    const needed = (reachOf(cases, noise, alpha) ** 2 * changed) / (detect * detect);
    cases = Math.ceil(Math.max(needed, fewest) - 1e-9);
  }
  return cases;
}

/** Standard errors between no change and one that shows with 80 % chance. */
function reachOf(pairs: number, { areFlips }: Noise, alpha: number): number {
  if (areFlips || pairs > 10_000) return normalQuantile(1 - alpha / 2) + normalQuantile(0.8);
  return studentQuantile(1 - alpha / 2, pairs - 1) + studentQuantile(0.8, pairs - 1);
}

/** How pairs differ by chance, and how a change adds to that. */
export interface Noise {
  /** Of the difference of a pair when nothing has changed. */
  readonly variance: number;
  /** How far the cases go that a change newly moves; 0: it moves every case a little. */
  readonly flipSize: number;
  /** Whether a case changes wholly or not at all. */
  readonly areFlips: boolean;
}
