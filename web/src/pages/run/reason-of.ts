import type { TrialResource } from '../../../../src/api/resources/trial.ts';

/** Why a trial is what it is, in one line; '' for one that passed. */
export function reasonOf({ reason, kind, verdict }: TrialResource): string {
  if (reason === null) return verdict === 'skipped' ? (kind ?? '') : '';
  const [, gate, told = ''] = OUTCOME.exec(reason) ?? [];
  if (told === '') return reason;
  return `${gate === undefined ? '' : 'required: '}${told.replace(NOT_SO, '“$1” does not hold')}`;
}

/** The name of the grade of an expected outcome begins with this. */
const OUTCOME = /^(required )?[^\s:/]+\/outcome\/(.*)$/s;

/** The outcome may end with a full stop. */
const NOT_SO = /^(.+?): does not hold(?=:|$)/s;
