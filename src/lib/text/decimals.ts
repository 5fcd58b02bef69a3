/** Rounds to 9 decimals, so that 0.7 * 0.75 + 0.3 * 0.25 meets a threshold of 0.6. */
export function round9(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}
