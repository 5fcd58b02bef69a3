import type { CaseName, TargetComparison } from './comparison.ts';

type Result = NonNullable<TargetComparison['result']>;

/** Differences have one decimal in points. */
const SMALLEST_SHOWN = 0.001;

/** `+12.5 points`: a difference of shares or scores. */
export function pointsText(difference: number): string {
  const points = Number((difference * 100).toFixed(1));
  return `${points > 0 ? '+' : ''}${points} ${Math.abs(points) === 1 ? 'point' : 'points'}`;
}

/** The smallest change that the comparison could have seen, in words. */
export function smallestText({ smallestSeen }: Pick<Result, 'smallestSeen'>): string {
  if (smallestSeen === null) return 'none: too few cases';
  return smallestSeen < SMALLEST_SHOWN
    ? 'less than 0.1 points'
    : `about ${pointsText(smallestSeen).replace(/^\+/, '')}`;
}

/** Whether two lists name the same cases, so that one of them is enough. */
export function isSameList(left: readonly CaseName[], right: readonly CaseName[]): boolean {
  const namesOf = (cases: readonly CaseName[]) =>
    JSON.stringify(cases.map(({ suite, caseId }) => [suite, caseId]).toSorted());
  return namesOf(left) === namesOf(right);
}
