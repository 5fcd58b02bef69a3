/** With fewer cases, p stays above 0.05 even if all of them change. */
export const FEWEST_CASES = 6;
