import type { Interval } from '../lib/wilson.ts';

/** The value of a case that is compared. */
export type ComparedValue = 'score' | 'passed';

/** The verdict on two measured sides. `invalid` is decided before. */
export type PairedVerdict = 'regressed' | 'improved' | 'equivalent' | 'inconclusive';

export type ComparisonVerdict = 'invalid' | PairedVerdict;

/** Differences between the sides that `--across` allows. */
export type Across = 'case' | 'grader' | 'selection';

/** The kind of difference of a case. `--across grader` allows all but `case`. */
export type Change = 'case' | 'grader' | 'weight' | 'gate' | 'threshold';

export interface PairedOptions {
  /** Two-sided significance level. */
  readonly alpha: number;
  /** Smallest difference that matters. */
  readonly margin: number;
  /** Number of random sign patterns, if there are too many to enumerate. */
  readonly draws?: number;
}

export interface CompareOptions extends PairedOptions {
  /** Absent: the score, or passed if gates decide most cases. */
  readonly on?: ComparedValue | undefined;
  readonly across: readonly Across[];
}

/** A case of a suite. */
export interface ComparedCase {
  readonly suite: string;
  readonly caseId: string;
}

/** A case with a different value. */
export interface MovedCase extends ComparedCase {
  readonly base: number;
  readonly candidate: number;
  readonly difference: number;
}

/** A difference between the targets. Null if a side lacks the property. */
export interface Difference {
  /** Name of the property, such as `config.model`. */
  readonly what: string;
  readonly base: string | null;
  readonly candidate: string | null;
}

/** Why two sides cannot be compared. */
export interface InvalidReason {
  readonly code: 'empty' | 'selection' | 'unfinished' | 'errored' | 'no-overlap' | 'not-measured' | 'digests';
  readonly message: string;
  readonly hint?: InvalidHint;
}

/** All hints of invalid comparisons. The dashboard has its own words for each. */
export type InvalidHint =
  | 'finish it with assay resume'
  | 'run them again with assay resume --retry errored, or allow more with --max-errored'
  | 'compare two complete runs, or allow it with --across selection'
  | 'allow it with --across case'
  | 'grade the older run again with assay grade, or allow it with --across grader'
  | 'run both with the same threshold, or allow it with --across grader';

export interface CasesNeeded {
  readonly cases: number;
  /** Purpose: to see a change as large as the margin with 80 % power, or to decide with cases like these. */
  readonly to: 'see-margin' | 'decide';
}

/** The result of a paired comparison of one number per case. */
export interface PairedResult {
  readonly verdict: PairedVerdict;
  readonly pairs: number;
  /** Number of pairs that differ. */
  readonly informative: number;
  readonly worse: number;
  readonly better: number;
  /** Mean of candidate - base. */
  readonly difference: number;
  /** Always a 95 % interval, regardless of alpha. */
  readonly interval: Interval;
  readonly p: number;
  readonly draws: 'all' | number;
  /** Number of cases with more repetitions on one side. For these the trials were permuted, for the others the signs. */
  readonly unequal: number;
  /** Level for p: alpha, or less if several targets are compared. */
  readonly level: number;
  /** The smallest change that this many cases show with 80 % power. Null: not even the largest. */
  readonly smallestSeen: number | null;
  /** Only if the verdict is inconclusive and some number of cases is enough. */
  readonly casesNeeded?: CasesNeeded;
}

/** Number of cases that pass less or more often, if the score is compared. */
export interface VerdictShift {
  readonly less: number;
  readonly more: number;
  /** Cases among them with an unchanged score. */
  readonly lessAtSameScore: number;
  readonly moreAtSameScore: number;
  readonly p: number;
  /** Whether more cases newly fail than chance explains. */
  readonly isMoreThanChance: boolean;
}

/** The ratio of the medians over cases. */
export interface MedianRatio {
  readonly base: number;
  readonly candidate: number;
  /** candidate / base. Null if the base is 0. */
  readonly ratio: number | null;
  /** 95 % interval by resampling of cases. Null if it is unbounded, and with one case. */
  readonly interval: Interval | null;
  /** Number of cases in which both sides are known. */
  readonly cases: number;
}

/** How many of all trials of a side are cached. */
export interface CachedTrials {
  readonly cached: number;
  readonly of: number;
}

/** The comparison of two targets, case by case. */
export interface CaseComparison {
  readonly verdict: ComparisonVerdict;
  /** Reasons of an invalid verdict, else empty. */
  readonly reasons: readonly InvalidReason[];
  /** Null if the verdict is invalid. */
  readonly result: PairedResult | null;
  /** Means over the pairs. */
  readonly means: { readonly base: number; readonly candidate: number } | null;
  /** Null if the verdict is invalid, or if passed is compared. */
  readonly verdicts: VerdictShift | null;
  /** Cases with a lower value, largest change first. */
  readonly worse: readonly MovedCase[];
  readonly better: readonly MovedCase[];
  /** If scores are compared: cases that pass less, or more, often; largest change first. */
  readonly passedLess: readonly MovedCase[];
  readonly passedMore: readonly MovedCase[];
  readonly onlyInBase: readonly ComparedCase[];
  readonly onlyInCandidate: readonly ComparedCase[];
  /** Cases that were not measured, without those that neither side started. */
  readonly notMeasured: readonly (ComparedCase & { readonly side: 'base' | 'candidate' | 'both' })[];
  /** Cases that differ between the sides, or are graded differently. */
  readonly changed: readonly (ComparedCase & { readonly what: readonly Change[] })[];
  readonly ratios: Readonly<Record<'costUsd' | 'tokens' | 'latencyMs', MedianRatio | null>> | null;
  /** Trials of each side whose answer comes from an earlier run. Absent if no answer is cached. */
  readonly cached?: Readonly<Record<'base' | 'candidate', CachedTrials>>;
}

/** The comparison of one target with its counterpart. */
export interface TargetComparison extends CaseComparison {
  readonly sentence: string;
  readonly targets: { readonly base: string; readonly candidate: string };
  /** Differences between the targets. */
  readonly differs: readonly Difference[];
  /** Gates that newly fail in cases that pass less often, the most frequent first. */
  readonly newlyFallen: readonly string[];
  /** Differences between the graders of the first case that is graded differently. Absent without such a case. */
  readonly graders?: readonly string[];
}

export interface RunComparison {
  /** The most serious verdict of all targets. */
  readonly verdict: ComparisonVerdict;
  readonly sentence: string;
  readonly base: string;
  readonly candidate: string;
  readonly options: CompareOptions & { readonly on: ComparedValue };
  readonly comparisons: readonly TargetComparison[];
  /** The scale in which people read the scores; the numbers here are fractions. Absent: a fraction. */
  readonly scoredIn?: 'percent';
  /** Names of the stored cases that come first in these lists, by their ids. Absent without such cases. */
  readonly caseNames?: Readonly<Record<string, string>>;
  /** Targets without a counterpart. */
  readonly unpaired: { readonly base: readonly string[]; readonly candidate: readonly string[] };
}
