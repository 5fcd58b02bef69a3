import type { RefusedError } from '../../../../src/api/client.ts';

/** Why a file is not imported. */
export interface ImportProblems {
  readonly total: number;
  /** The first ones. */
  readonly texts: readonly string[];
}

const MOST = 100;

export function problemsOf({ problem }: RefusedError): ImportProblems {
  const { problems = [], message, hint } = problem;
  const all = problems.length > 0 ? problems : [{ code: '', param: '', message, hint }];
  // The server lists the first ones of a file, and then says how many more there are.
  const listed = all.filter(({ code }) => code !== 'more-problems');
  const texts = listed.slice(0, MOST).map((each) => {
    const place = each.param === '' || each.param === null ? '' : `${each.param}: `;
    return `${place}${each.message}${each.hint === undefined ? '' : ` (${each.hint})`}`;
  });
  const more = all.filter(({ code }) => code === 'more-problems');
  const total = more.reduce((sum, each) => sum + Number(/\d+/.exec(each.message)?.[0] ?? 0), listed.length);
  return { total, texts };
}
