export const BEST_SCORE = 5;

/** The judge's score of a metric as a share of the best score, 0 to 1. */
export function valueOf(said: number | boolean): number {
  return typeof said === 'boolean' ? Number(said) : said / BEST_SCORE;
}
