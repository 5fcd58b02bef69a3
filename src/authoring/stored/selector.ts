import type { Problem } from '../../core/problem.ts';
import type { CaseSelector } from '../../core/run-options.ts';
import { nearest } from '../../lib/text/suggest.ts';
import type { CheckedCase } from './check.ts';
import { caseIdOf, type LoadedCase } from './load.ts';

/** A selector, or the cases of an earlier run. */
export interface AskedCases extends CaseSelector {
  /** Takes these cases if they exist, whatever their status. */
  readonly among?: ReadonlySet<string>;
}

export interface SelectedCases {
  readonly cases: readonly LoadedCase[];
  /** Unknown names, each with the nearest known one. */
  readonly unknown: readonly { readonly id: string; readonly meant?: string }[];
}

/** The cases that match a selector, in their order. A named case is kept whatever its status, but may not run. */
export function selectCases(cases: readonly LoadedCase[], selector: AskedCases): SelectedCases {
  const { ids, among } = selector;
  const isNamed = (each: LoadedCase): boolean | undefined =>
    among === undefined ? ids?.some((id) => isCalled(each, id)) : among.has(caseIdOf(each));
  return {
    cases: cases.filter((each) => (isNamed(each) ?? hasStatus(each, selector)) && isMeant(each, selector)),
    unknown: (ids ?? []).flatMap((id) => {
      if (cases.some((each) => isCalled(each, id))) return [];
      const names = cases.flatMap(({ id: own, case: { name } }) => [
        ...(own === undefined ? [] : [own]),
        name,
      ]);
      const meant = nearest(id, names);
      return [meant === undefined ? { id } : { id, meant }];
    }),
  };
}

/** Whether a case has this id, in upper or lower case, or this name. */
export function isCalled({ id, case: { name } }: CheckedCase, idOrName: string): boolean {
  return name === idOrName || (id !== undefined && id === idOrName.toLowerCase());
}

/** Problems for unknown names; `file` is where they were searched. */
export function unknownCases({ unknown }: Pick<SelectedCases, 'unknown'>, file: string): readonly Problem[] {
  return unknown.map(({ id, meant }) => ({
    file,
    code: 'unknown-case',
    message: `no test case has the id or name ${JSON.stringify(id)}`,
    hint:
      meant === undefined ? '`assay cases list PATH` shows them' : `did you mean ${JSON.stringify(meant)}?`,
  }));
}

/** Whether a case with this status may run. */
export function hasStatus(
  { case: stored }: Pick<LoadedCase, 'case'>,
  { status = ACTIVE }: CaseSelector,
): boolean {
  return status.some((each) => each === 'any' || each === stored.status);
}

const ACTIVE = ['active'] as const;

function isMeant({ case: stored }: LoadedCase, selector: CaseSelector): boolean {
  const { difficulty, tagAny, tagAll = [], search } = selector;
  return (
    (difficulty === undefined || difficulty.includes(stored.difficulty)) &&
    (tagAny === undefined || tagAny.some((tag) => stored.tags.includes(tag))) &&
    tagAll.every((tag) => stored.tags.includes(tag)) &&
    (search === undefined ||
      [stored.name, stored.description ?? ''].some((text) => folded(text).includes(folded(search))))
  );
}

/** Folds case as a database without a locale does. */
function folded(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
