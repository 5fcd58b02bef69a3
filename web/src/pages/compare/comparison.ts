import type { Interval } from '../../../../src/lib/wilson.ts';

/** What this page reads of the document that `assay compare --json` prints. */
export interface RunComparison {
  readonly verdict: Verdict;
  readonly sentence: string;
  readonly base: string;
  readonly candidate: string;
  readonly options: { readonly on: On; readonly margin: number };
  readonly comparisons: readonly TargetComparison[];
  /** Names of stored cases, by their ids. */
  readonly caseNames?: Readonly<Record<string, string>>;
  readonly unpaired: { readonly base: readonly string[]; readonly candidate: readonly string[] };
}

type Verdict = 'invalid' | 'regressed' | 'improved' | 'equivalent' | 'inconclusive';

export interface CaseId {
  readonly suite: string;
  readonly caseId: string;
}

export interface MovedCase extends CaseId {
  readonly base: number;
  readonly candidate: number;
  readonly difference: number;
}

/** How a cost, a number of tokens or a time changed: a ratio over the cases, and the medians of both sides. */
export interface MedianRatio {
  readonly base: number;
  readonly candidate: number;
  readonly ratio: number | null;
  readonly interval: Interval | null;
  readonly cases: number;
}

/** What decides about a case. */
export type On = 'score' | 'passed';

export interface TargetComparison {
  readonly verdict: Verdict;
  readonly sentence: string;
  readonly targets: { readonly base: string; readonly candidate: string };
  readonly reasons: readonly { readonly message: string; readonly hint?: string }[];
  readonly result: {
    readonly pairs: number;
    readonly informative: number;
    readonly difference: number;
    readonly interval: Interval;
    readonly p: number;
    readonly smallestSeen: number | null;
    readonly casesNeeded?: { readonly cases: number; readonly to: 'see-margin' | 'decide' };
  } | null;
  readonly means: { readonly base: number; readonly candidate: number } | null;
  readonly ratios: Readonly<Record<'costUsd' | 'tokens' | 'latencyMs', MedianRatio | null>> | null;
  readonly differs: readonly {
    readonly what: string;
    readonly base: string | null;
    readonly candidate: string | null;
  }[];
  readonly newlyFallen: readonly string[];
  readonly worse: readonly MovedCase[];
  readonly better: readonly MovedCase[];
  readonly passedLess: readonly MovedCase[];
  readonly passedMore: readonly MovedCase[];
  readonly onlyInBase: readonly CaseId[];
  readonly onlyInCandidate: readonly CaseId[];
  readonly notMeasured: readonly (CaseId & { readonly side: string })[];
  readonly changed: readonly (CaseId & { readonly what: readonly string[] })[];
}
