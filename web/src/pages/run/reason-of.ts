import type { TrialResource } from '../../../../src/api/resources/trial.ts';

/** Why a trial is what it is, in one line; '' for one that passed. */
export function reasonOf({ reason, kind, verdict }: TrialResource): string {
  if (reason !== null)
    return reason.replace(OUTCOME, (_, gate?: string) => (gate === undefined ? '' : 'required: '));
  return verdict === 'skipped' ? (kind ?? '') : '';
}

/** The name of the grade of an expected outcome begins with this. */
const OUTCOME = /^(required )?[^\s:/]+\/outcome\//;
