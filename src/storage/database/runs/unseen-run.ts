/**
 * SQL of the run `$1`, for which the planner expects as many trials as other runs have. With the plain parameter it
 * expects one trial of a run that began after its table was analyzed, and then it reads all of them for each look-up.
 */
export const UNSEEN_RUN = '(select $1::text)';
