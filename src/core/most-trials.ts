/** Most trials of a run in the store. They are written before the first one begins, and a request names their number. */
export const MOST_STORED_TRIALS = 1_000_000;
