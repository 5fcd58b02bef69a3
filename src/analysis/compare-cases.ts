import type { RunState } from '../core/run.ts';
import type { CaseTable } from './case-table.ts';
import { comparePairs, type PairedOptions, type PairedResult, type PairedVerdict } from './paired.ts';
import { ratioOfMedians, type MedianRatio } from './ratio-of-medians.ts';

export type ComparisonVerdict = 'invalid' | PairedVerdict;

/** What may differ between the sides although it is part of what is asked. */
export type Across = 'case' | 'grader';

export interface CompareOptions extends PairedOptions {
  readonly on: 'score' | 'passed';
  readonly across: readonly Across[];
}

/** One target of one run. */
export interface Side {
  /** As messages name it. */
  readonly name: string;
  readonly table: CaseTable;
  readonly state: RunState;
  /** Errored trials that its run tolerates. */
  readonly maxErrored: number;
}

export interface CaseName {
  readonly suite: string;
  readonly caseId: string;
}

/** A case that came out differently. */
export interface MovedCase extends CaseName {
  readonly base: number;
  readonly candidate: number;
  readonly difference: number;
}

/** Why two sides cannot be compared. */
export interface InvalidReason {
  readonly code: 'empty' | 'unfinished' | 'errored' | 'no-overlap' | 'not-measured' | 'digests';
  readonly message: string;
  readonly hint?: string;
}

/** One target compared with another, case by case. */
export interface CaseComparison {
  readonly verdict: ComparisonVerdict;
  /** Empty unless the verdict is invalid. */
  readonly reasons: readonly InvalidReason[];
  /** Null when the verdict is invalid. */
  readonly result: PairedResult | null;
  /** Means over the pairs. */
  readonly means: { readonly base: number; readonly candidate: number } | null;
  /** Largest change first. */
  readonly worse: readonly MovedCase[];
  readonly better: readonly MovedCase[];
  /** On scores: those whose share of passed repetitions fell, or rose; largest change first. */
  readonly passedLess: readonly MovedCase[];
  readonly passedMore: readonly MovedCase[];
  readonly onlyInBase: readonly CaseName[];
  readonly onlyInCandidate: readonly CaseName[];
  readonly notMeasured: readonly (CaseName & { readonly side: 'base' | 'candidate' | 'both' })[];
  /** Cases that are not the same on both sides, or are not graded alike. */
  readonly changed: readonly (CaseName & { readonly what: readonly Across[] })[];
  readonly ratios: Readonly<Record<'costUsd' | 'tokens' | 'latencyMs', MedianRatio | null>> | null;
}

const NOTHING_MOVED = { worse: [], better: [], passedLess: [], passedMore: [] } as const;

/** Compares two sides whose digests were numbered together. */
export function compareCases(base: Side, candidate: Side, options: CompareOptions): CaseComparison {
  const matched = match(base.table, candidate.table);
  const reasons = reasonsAgainst({ base, candidate, matched }, options);
  const lists = {
    onlyInBase: matched.onlyInBase,
    onlyInCandidate: matched.onlyInCandidate,
    notMeasured: matched.notMeasured,
    changed: matched.changed,
  };
  if (reasons.length > 0) {
    return {
      verdict: 'invalid',
      reasons,
      result: null,
      means: null,
      ...NOTHING_MOVED,
      ...lists,
      ratios: null,
    };
  }
  const pairs: Pairs = { base: base.table, candidate: candidate.table, places: matched.pairs };
  const values = valuesOf(pairs, options.on === 'score' ? 'scores' : 'passed');
  const result = comparePairs(values.differences, options);
  const moved = movedCases(pairs, values);
  const flipped = options.on === 'score' ? movedCases(pairs, valuesOf(pairs, 'passed')) : [];
  const ratio = (what: 'costUsd' | 'tokens' | 'latencyMs') =>
    ratioOfMedians(perTrial(pairs, 'base', what), perTrial(pairs, 'candidate', what));
  return {
    verdict: result.verdict,
    reasons,
    result,
    means: { base: meanOf(values.base), candidate: meanOf(values.candidate) },
    worse: moved.filter(({ difference }) => difference < 0),
    better: moved.filter(({ difference }) => difference > 0).toReversed(),
    passedLess: flipped.filter(({ difference }) => difference < 0),
    passedMore: flipped.filter(({ difference }) => difference > 0).toReversed(),
    ...lists,
    ratios: { costUsd: ratio('costUsd'), tokens: ratio('tokens'), latencyMs: ratio('latencyMs') },
  };
}

/** Cases that were measured on both sides, by their places in the tables. */
interface Pairs {
  readonly base: CaseTable;
  readonly candidate: CaseTable;
  readonly places: readonly (readonly [base: number, candidate: number])[];
}

interface Matched {
  readonly pairs: Pairs['places'];
  /** Cases that both sides have. */
  readonly shared: number;
  readonly onlyInBase: readonly CaseName[];
  readonly onlyInCandidate: readonly CaseName[];
  readonly notMeasured: CaseComparison['notMeasured'];
  readonly changed: CaseComparison['changed'];
}

function match(base: CaseTable, candidate: CaseTable): Matched {
  const pairs: [number, number][] = [];
  const onlyInBase: CaseName[] = [];
  const notMeasured: CaseComparison['notMeasured'][number][] = [];
  const changed: CaseComparison['changed'][number][] = [];
  for (let left = 0; left < base.suites.length; left++) {
    const right = candidate.find(base.suites[left] as string, base.caseIds[left] as string);
    if (right === undefined) {
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
  for (let right = 0; right < candidate.suites.length; right++) {
    const isShared =
      base.find(candidate.suites[right] as string, candidate.caseIds[right] as string) !== undefined;
    if (!isShared) onlyInCandidate.push(nameOf(candidate, right));
  }
  return {
    pairs,
    shared: base.suites.length - onlyInBase.length,
    onlyInBase,
    onlyInCandidate,
    notMeasured,
    changed,
  };
}

/** One case, by its places in the tables of both sides. */
interface Both {
  readonly base: CaseTable;
  readonly candidate: CaseTable;
  readonly left: number;
  readonly right: number;
}

function nameOf({ suites, caseIds }: CaseTable, place: number): CaseName {
  return { suite: suites[place] as string, caseId: caseIds[place] as string };
}

const SAME: readonly Across[] = [];

function changesOf({ base, candidate, left, right }: Both): readonly Across[] {
  const [before, after] = [base.graders[left], candidate.graders[right]];
  const regraded = before !== '' && after !== '' && before !== after;
  if (base.caseDigests[left] === candidate.caseDigests[right]) return regraded ? ['grader'] : SAME;
  return regraded ? ['case', 'grader'] : ['case'];
}

/** A case that neither side tried, such as a draft, is nothing to speak of. */
function notMeasuredIn({ base, candidate, left, right }: Both) {
  const [noBase, noCandidate] = [base.measured[left] === 0, candidate.measured[right] === 0];
  if (!noBase && !noCandidate) return undefined;
  if (noBase && noCandidate) {
    return base.errored[left] === 0 && candidate.errored[right] === 0 ? 'skipped' : 'both';
  }
  return noBase ? 'base' : 'candidate';
}

interface Sides {
  readonly base: Side;
  readonly candidate: Side;
  readonly matched: Matched;
}

function reasonsAgainst({ base, candidate, matched }: Sides, { across }: CompareOptions): InvalidReason[] {
  const own = [...ownReasons(base), ...ownReasons(candidate)];
  if (own.some(({ code }) => code === 'empty')) return own;
  if (matched.shared === 0) {
    const message = `${base.name} and ${candidate.name} have no case in common`;
    return [...own, { code: 'no-overlap', message }];
  }
  const differing = differingReasons(matched, across);
  const unmeasured: InvalidReason = { code: 'not-measured', message: 'no case was measured on both sides' };
  return [...own, ...differing, ...(matched.pairs.length === 0 ? [unmeasured] : [])];
}

function ownReasons({ name, table, state, maxErrored }: Side): InvalidReason[] {
  if (table.trials === 0) return [{ code: 'empty', message: `${name} has no trial with an outcome` }];
  const reasons: InvalidReason[] = [];
  if (state !== 'completed') {
    const what = state === 'running' ? 'has not ended' : `was ${state}`;
    reasons.push({
      code: 'unfinished',
      message: `${name} ${what} before all of its trials had an outcome`,
      hint: 'finish it with assay resume',
    });
  }
  if (table.erroredTrials > maxErrored) {
    reasons.push({
      code: 'errored',
      message: `${table.erroredTrials} of ${table.trials} trials of ${name} errored and ${maxErrored} are allowed`,
      hint: 'try them again with assay resume --retry errored, or allow some with --max-errored',
    });
  }
  return reasons;
}

function differingReasons({ changed, shared }: Matched, across: readonly Across[]): InvalidReason[] {
  const kinds: readonly Across[] = ['case', 'grader'];
  return kinds.flatMap((kind) => {
    const differing = changed.filter(({ what }) => what.includes(kind));
    const [first] = differing;
    if (first === undefined || across.includes(kind)) return [];
    const what =
      kind === 'case' ? 'are not the same on both sides' : 'are graded differently on the two sides';
    const message = `${differing.length} of ${shared} cases ${what}, such as ${first.caseId} of ${first.suite}`;
    const again = kind === 'grader' ? 'grade the older run again with assay grade, or ' : '';
    return [
      { code: 'digests' as const, message, hint: `${again}compare all the same with --across ${kind}` },
    ];
  });
}

/** Of each pair, the mean over the measured repetitions of one side. */
function perTrial(
  { base, candidate, places }: Pairs,
  side: 'base' | 'candidate',
  what: 'scores' | 'passed' | 'costUsd' | 'tokens' | 'latencyMs',
): Float64Array {
  const table = side === 'base' ? base : candidate;
  const [sums, counts] = [table[what], table.measured];
  const means = new Float64Array(places.length);
  for (let i = 0; i < means.length; i++) {
    const [left, right] = places[i] as Pairs['places'][number];
    const place = side === 'base' ? left : right;
    means[i] = (sums[place] as number) / (counts[place] as number);
  }
  return means;
}

/** Of each pair. */
interface PairValues {
  readonly base: Float64Array;
  readonly candidate: Float64Array;
  readonly differences: Float64Array;
}

function valuesOf(pairs: Pairs, what: 'scores' | 'passed'): PairValues {
  const base = perTrial(pairs, 'base', what);
  const candidate = perTrial(pairs, 'candidate', what);
  return { base, candidate, differences: base.map((before, i) => (candidate[i] as number) - before) };
}

/** Those whose value differs, from the largest fall to the largest rise. */
function movedCases({ base, places }: Pairs, values: PairValues): readonly MovedCase[] {
  const { differences } = values;
  const order = Float64Array.from(differences.keys()).filter(
    (i) => Math.abs(differences[i] as number) >= 1e-9,
  );
  order.sort((one, other) => (differences[one] as number) - (differences[other] as number));
  return Array.from(order, (i): MovedCase => {
    const [left] = places[i] as Pairs['places'][number];
    return {
      suite: base.suites[left] as string,
      caseId: base.caseIds[left] as string,
      base: values.base[i] as number,
      candidate: values.candidate[i] as number,
      difference: differences[i] as number,
    };
  });
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
