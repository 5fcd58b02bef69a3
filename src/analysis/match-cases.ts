import type { CaseComparison, ComparedCase, Change } from '../core/run-comparison.ts';
import type { CaseTable } from './case-table.ts';

/** The cases of two sides, matched by suite and id. */
export interface Matched extends Pick<
  CaseComparison,
  'onlyInBase' | 'onlyInCandidate' | 'notMeasured' | 'changed'
> {
  /** Cases that were measured on both sides, by their positions in the tables. */
  readonly pairs: readonly (readonly [base: number, candidate: number])[];
  /** Number of cases on both sides. */
  readonly shared: number;
}

/** Matches cases by suite and id. */
export function matchCases(base: CaseTable, candidate: CaseTable): Matched {
  const pairs: [number, number][] = [];
  const onlyInBase: ComparedCase[] = [];
  const notMeasured: Matched['notMeasured'][number][] = [];
  const changed: Matched['changed'][number][] = [];
  for (const [left, number] of base.numbers.entries()) {
    const right = candidate.places[number] ?? -1;
    if (right < 0) {
      onlyInBase.push(nameOf(base, left));
      continue;
    }
    const both = { base, candidate, left, right };
    const what = changesOf(both);
    if (what.length > 0) changed.push({ ...nameOf(base, left), what });
    const side = notMeasuredIn(both);
    if (side === undefined) pairs.push([left, right]);
    else if (side !== 'skipped') notMeasured.push({ ...nameOf(base, left), side });
  }
  const onlyInCandidate: ComparedCase[] = [];
  for (const [right, number] of candidate.numbers.entries()) {
    if ((base.places[number] ?? -1) < 0) onlyInCandidate.push(nameOf(candidate, right));
  }
  return {
    pairs,
    shared: base.numbers.length - onlyInBase.length,
    onlyInBase,
    onlyInCandidate,
    notMeasured,
    changed,
  };
}

/** One case, with its positions in both tables. */
interface Both {
  readonly base: CaseTable;
  readonly candidate: CaseTable;
  readonly left: number;
  readonly right: number;
}

function nameOf({ names }: CaseTable, place: number): ComparedCase {
  return names[place] as ComparedCase;
}

function changesOf({ base, candidate, left, right }: Both): readonly Change[] {
  const changes: Change[] = base.caseDigests[left] === candidate.caseDigests[right] ? [] : ['case'];
  if (base.measured[left] === 0 || candidate.measured[right] === 0) return changes;
  const differs = (list: 'graders' | 'weights' | 'gates' | 'terms' | 'thresholds') =>
    base[list][left] !== candidate[list][right];
  const [before, after] = [base.graders[left], candidate.graders[right]];
  if (differs('graders') && before !== '' && after !== '') changes.push('grader');
  // Names and the order of graders are also terms, but decide nothing.
  else if (differs('terms') || base.terms[left] === -1) {
    if (differs('weights')) changes.push('weight');
    if (differs('gates')) changes.push('gate');
  }
  if (differs('thresholds')) changes.push('threshold');
  return changes;
}

/** The side without a measurement. Undefined if neither side started the case, such as a draft. */
function notMeasuredIn({ base, candidate, left, right }: Both) {
  const [noBase, noCandidate] = [base.measured[left] === 0, candidate.measured[right] === 0];
  if (!noBase && !noCandidate) return undefined;
  if (noBase && noCandidate) {
    return base.errored[left] === 0 && candidate.errored[right] === 0 ? 'skipped' : 'both';
  }
  return noBase ? 'base' : 'candidate';
}
