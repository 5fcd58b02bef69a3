import type { RefusedError } from '../../../../src/api/client.ts';
import type { CaseFile } from './case-file.ts';

/** Why a file is not imported. */
export interface ImportProblems {
  readonly total: number;
  /** The first ones. */
  readonly texts: readonly string[];
}

const MOST = 100;

export function problemsOf({ problem }: RefusedError, file?: CaseFile): ImportProblems {
  const { problems = [], message, hint } = problem;
  const all = problems.length > 0 ? problems : [{ code: '', param: '', message, hint }];
  // The server lists the first ones of a file, and then says how many more there are.
  const listed = all.filter(({ code }) => code !== 'more-problems');
  const texts = listed.slice(0, MOST).map((each) => {
    return `${placeText(each.param ?? '', file)}${each.message}${each.hint === undefined ? '' : ` (${each.hint})`}`;
  });
  const more = all.filter(({ code }) => code === 'more-problems');
  const total = more.reduce((sum, each) => sum + Number(/\d+/.exec(each.message)?.[0] ?? 0), listed.length);
  return { total, texts };
}

/** Where a problem is: `line 3, name: ` of JSONL, else `case 3, name: `. */
function placeText(param: string, file: CaseFile | undefined): string {
  if (param === '') return '';
  const [, index, rest = ''] = /^items\.(\d+)(?:\.(.*))?$/s.exec(param) ?? [];
  if (index === undefined) return `${param}: `;
  const at = file?.type === 'application/jsonl' ? lineOf(file.text, Number(index)) : undefined;
  const place = at === undefined ? `case ${Number(index) + 1}` : `line ${at}`;
  return rest === '' ? `${place}: ` : `${place}, ${rest}: `;
}

/** The line of the item with this index, from 1; blank lines are no items. */
function lineOf(text: string, index: number): number | undefined {
  let left = index;
  for (const [at, line] of text.split('\n').entries()) if (line.trim() !== '' && left-- === 0) return at + 1;
  return undefined;
}
