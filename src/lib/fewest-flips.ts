/** Fewest pairs in the same direction with p below alpha: 6 for 0.05. */
export function fewestFlips(alpha: number): number {
  return Math.floor(1 + Math.log2(1 / alpha) + 1e-9) + 1;
}
