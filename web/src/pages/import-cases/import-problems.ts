import { RefusedError } from '../../../../src/api/client.ts';
import { messageOf } from '../../../../src/core/errors.ts';

/** Why a file is not imported. */
export interface ImportProblems {
  readonly total: number;
  /** The first ones. */
  readonly texts: readonly string[];
}

const MOST = 100;

export function problemsOf(error: unknown): ImportProblems {
  if (!(error instanceof RefusedError)) {
    return { total: 1, texts: [`The server did not answer: ${messageOf(error)}`] };
  }
  const { problems = [], message, hint } = error.problem;
  const all = problems.length > 0 ? problems : [{ param: '', message, hint }];
  const texts = all.slice(0, MOST).map((each) => {
    const place = each.param === '' || each.param === null ? '' : `${each.param}: `;
    return `${place}${each.message}${each.hint === undefined ? '' : ` (${each.hint})`}`;
  });
  return { total: all.length, texts };
}
