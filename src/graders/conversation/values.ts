/** The best score of a metric. */
export const BEST_SCORE = 5;

/** What a judge said of a metric, as a share of the best: 0..1. */
export function valueOf(said: number | boolean): number {
  return typeof said === 'boolean' ? Number(said) : said / BEST_SCORE;
}
