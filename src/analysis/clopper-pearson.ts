import type { Interval } from '../lib/wilson.ts';
import { betaQuantile } from './distributions.ts';

/** The exact two-sided interval of `hits` out of `trials`. Both may be fractions (effective numbers). Null for 0 trials. */
export function clopperPearson(hits: number, trials: number, confidence = 0.95): Interval | null {
  if (trials <= 0) return null;
  const tail = (1 - confidence) / 2;
  return {
    lower: hits <= 0 ? 0 : betaQuantile(tail, hits, trials - hits + 1),
    upper: hits >= trials ? 1 : betaQuantile(1 - tail, hits + 1, trials - hits),
  };
}

/** The exact one-sided lower 95 % bound of the true rate. Null for 0 trials. */
export function lower95(hits: number, trials: number): number | null {
  if (trials <= 0) return null;
  return hits <= 0 ? 0 : betaQuantile(0.05, hits, trials - hits + 1);
}

/** `lower95` if all trials pass: the most that this many independent trials can show. */
export function bestLower95(trials: number): number {
  return trials <= 0 ? 0 : 0.05 ** (1 / trials);
}

/** Number of independent passed trials needed to show a rate: 14 for 0.80, 29 for 0.90, 59 for 0.95. */
export function cleanTrialsFor(rate: number): number {
  if (rate <= 0) return 0;
  if (rate >= 1) return Infinity;
  const count = Math.ceil(Math.log(0.05) / Math.log(rate) - 1e-9);
  return Math.max(1, count);
}
