import { textsOf, trialFilters, type TrialFilters } from '../filters.ts';

/** The queue of a review: trials of a run, narrowed to filters. */
export interface ReviewSearch extends TrialFilters {
  readonly run?: string;
  /** Number of the trial that is shown. Absent: the first one. */
  readonly trial?: string;
}

/** Reads the queue out of an address. */
export function reviewSearch(search: Readonly<Record<string, unknown>>): ReviewSearch {
  return { ...trialFilters(search), ...textsOf(search, ['run', 'trial']) };
}

/** Whether filters tell how the trials were graded: then their verdicts are known before they are judged. */
export function tellsGrades({ status, grader, sort, stage, kind }: TrialFilters): boolean {
  const isByScore = sort === 'score' || sort === '-score';
  return isByScore || [status, grader, stage, kind].some((filter) => filter !== undefined);
}
