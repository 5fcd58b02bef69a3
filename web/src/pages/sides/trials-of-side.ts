import { sideOf } from '../../compared.ts';
import { trialFilters } from '../../filters.ts';

export interface AskedSide {
  /** A run, or `RUN#TARGET`. */
  readonly side: string;
  readonly suite: string | undefined;
  readonly caseId: string;
  readonly target: string | undefined;
}

/** What to ask for the trials of a case on one side of a comparison. */
export function trialsOfSide({ side, suite, caseId, target }: AskedSide) {
  const { run, target: own } = sideOf(side);
  return { run, filters: trialFilters({ suite, test_case_id: caseId, target: target ?? own }) };
}
