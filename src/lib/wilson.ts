import { round9 } from './text/decimals.ts';

export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/** The two-sided 95 % Wilson score interval of `hits` out of `trials`, 9 decimals; null for no trials. */
export function wilson(hits: number, trials: number): Interval | null {
  if (trials === 0) return null;
  const p = hits / trials;
  const z2 = Z95 * Z95;
  const middle = p + z2 / (2 * trials);
  const half = Z95 * Math.sqrt((p * (1 - p)) / trials + z2 / (4 * trials * trials));
  const scale = 1 + z2 / trials;
  return {
    lower: hits === 0 ? 0 : round9((middle - half) / scale),
    upper: hits === trials ? 1 : round9((middle + half) / scale),
  };
}

const Z95 = 1.959963984540054;
