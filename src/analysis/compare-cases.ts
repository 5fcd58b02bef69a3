import type { RunState } from '../core/run.ts';
import type { CaseTable } from './case-table.ts';
import { matchCases, type Across, type CaseName, type Change, type Matched } from './match-cases.ts';
import { comparePairs, type PairedOptions, type PairedResult, type PairedVerdict } from './paired.ts';
import { ratioOfMedians, type MedianRatio } from './ratio-of-medians.ts';

export type ComparisonVerdict = 'invalid' | PairedVerdict;

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
  readonly notMeasured: Matched['notMeasured'];
  /** Cases that are not the same on both sides, or are not graded alike. */
  readonly changed: Matched['changed'];
  readonly ratios: Readonly<Record<'costUsd' | 'tokens' | 'latencyMs', MedianRatio | null>> | null;
}

const NOTHING_MOVED = { worse: [], better: [], passedLess: [], passedMore: [] } as const;

/** Compares two sides whose digests were numbered together. */
export function compareCases(base: Side, candidate: Side, options: CompareOptions): CaseComparison {
  const matched = matchCases(base.table, candidate.table);
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
  readonly places: Matched['pairs'];
}

interface Sides {
  readonly base: Side;
  readonly candidate: Side;
  readonly matched: Matched;
}

function reasonsAgainst({ base, candidate, matched }: Sides, options: CompareOptions): InvalidReason[] {
  const own = [...ownReasons(base), ...ownReasons(candidate)];
  if (own.some(({ code }) => code === 'empty')) return own;
  if (matched.shared === 0) {
    const message = `${base.name} and ${candidate.name} have no case in common`;
    return [...own, { code: 'no-overlap', message }];
  }
  const differing = differingReasons(matched, options);
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

const differing = {
  case: 'are not the same on both sides',
  grader: 'are graded differently on the two sides',
  weight: 'give their graders other weights on the two sides',
  gate: 'have other required graders on the two sides',
  threshold: 'have another pass threshold on the two sides',
} satisfies Readonly<Record<Change, string>>;

const regrading = 'grade the older run again with assay grade, or ';

const mending: Readonly<Record<Change, string>> = {
  case: '',
  grader: regrading,
  weight: regrading,
  gate: regrading,
  // A run that is graded again keeps the threshold of its flag.
  threshold: 'run both with the same threshold, or ',
};

/** A gate and the pass threshold change verdicts and never a score. */
const deciding: Readonly<Record<CompareOptions['on'], readonly Change[]>> = {
  score: ['case', 'grader', 'weight'],
  passed: ['case', 'grader', 'weight', 'gate', 'threshold'],
};

function differingReasons({ changed, shared }: Matched, { across, on }: CompareOptions): InvalidReason[] {
  return deciding[on].flatMap((change) => {
    const changedSo = changed.filter(({ what }) => what.includes(change));
    const [first] = changedSo;
    const kind: Across = change === 'case' ? 'case' : 'grader';
    if (first === undefined || across.includes(kind)) return [];
    const message = `${changedSo.length} of ${shared} cases ${differing[change]}, such as ${first.caseId} of ${first.suite}`;
    const hint = `${mending[change]}compare all the same with --across ${kind}`;
    return [{ code: 'digests' as const, message, hint }];
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
