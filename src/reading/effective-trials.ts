/**
 * The contribution of a trial to the sum of squared trial counts per case. The trials of a case are
 * numbered from 1, and n² is the sum of the first n odd numbers, so no memory per case is needed.
 */
export function squareBy(repetition: number): number {
  return 2 * repetition - 1;
}

/** The effective number of independent verdicts (Kish): the number of cases if each has equally many, else less. */
export function effectiveTrials({
  trials,
  squares,
}: {
  readonly trials: number;
  readonly squares: number;
}): number {
  if (trials === 0) return 0;
  // If the first repetitions of a case could not be decided, its square is too large.
  return Math.max(1, Math.min(trials, trials ** 2 / squares));
}
