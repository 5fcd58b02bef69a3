import type { TrialResource } from '../../../../src/api/resources/trial.ts';

/** Why a trial is what it is, in one line; '' for one that passed. */
export function reasonOf({ reason, kind, verdict }: TrialResource): string {
  if (reason !== null) return reason;
  return verdict === 'skipped' ? (kind ?? '') : '';
}
