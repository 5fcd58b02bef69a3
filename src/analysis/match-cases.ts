import type { CaseTable } from './case-table.ts';
import type { CaseName } from './numbering.ts';

/** Differences between the sides that `--across` allows. */
export type Across = 'case' | 'grader' | 'selection';

/** The kind of difference of a case. `--across grader` allows all but `case`. */
export type Change = 'case' | 'grader' | 'weight' | 'gate' | 'threshold';

/** The cases of two sides, matched by suite and id. */
export interface Matched {
  /** Cases that were measured on both sides, by their positions in the tables. */
  readonly pairs: readonly (readonly [base: number, candidate: number])[];
  /** Number of cases on both sides. */
  readonly shared: number;
  readonly onlyInBase: readonly CaseName[];
  readonly onlyInCandidate: readonly CaseName[];
  /** Cases that were not measured, without those that neither side started. */
  readonly notMeasured: readonly (CaseName & { readonly side: 'base' | 'candidate' | 'both' })[];
  /** Cases that differ between the sides, or are graded differently. */
  readonly changed: readonly (CaseName & { readonly what: readonly Change[] })[];
}

/** Matches cases by suite and id. */
export function matchCases(base: CaseTable, candidate: CaseTable): Matched {
  const pairs: [number, number][] = [];
  const onlyInBase: CaseName[] = [];
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
  const onlyInCandidate: CaseName[] = [];
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

function nameOf({ names }: CaseTable, place: number): CaseName {
  return names[place] as CaseName;
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
