/**
 * What a trial adds to the sum of the squares of how many trials each case has, by its repetition: the trials of a case
 * are numbered from 1, and n² is the sum of the first n odd numbers. So nothing has to be kept of each case.
 */
export function squareBy(repetition: number): number {
  return 2 * repetition - 1;
}

/** Independent verdicts that would say as much: the number of cases where each has as many, less otherwise (Kish). */
export function effectiveTrials({
  trials,
  squares,
}: {
  readonly trials: number;
  readonly squares: number;
}): number {
  if (trials === 0) return 0;
  // Where the first repetitions of a case could not be decided, its square is counted too large.
  return Math.max(1, Math.min(trials, trials ** 2 / squares));
}
