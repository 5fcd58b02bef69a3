import * as z from 'zod';

import { isObject } from '../lib/json.ts';
import { round9 } from '../lib/text/decimals.ts';
import type { ErrorRecord } from './errors.ts';
import type { Grade } from './grade.ts';
import type { ScoreScale } from './test-case.ts';

/** The result of a trial. `errored`: not measured; `failed`: measured, and not good enough. */
export type Verdict = 'passed' | 'failed' | 'errored' | 'skipped' | 'cancelled';

/** The verdict seen through `expectedFail`. */
export type Status = Verdict | 'expected-failed' | 'unexpected-passed';

/** The status of several trials is the worst one. */
export const WORST_FIRST: readonly Status[] = [
  'failed',
  'unexpected-passed',
  'errored',
  'cancelled',
  'skipped',
  'expected-failed',
  'passed',
];

/** Trials by status. */
export type StatusCounts = Readonly<Record<Status, number>>;

export const noStatuses: StatusCounts = {
  passed: 0,
  failed: 0,
  errored: 0,
  skipped: 0,
  cancelled: 0,
  'expected-failed': 0,
  'unexpected-passed': 0,
};

export interface Decision {
  readonly verdict: Verdict;
  /** Weighted mean of the graded expectations, 0 to 1 with 9 decimals; null when nothing could be graded. */
  readonly score: number | null;
  /** `score` in percent, 0 to 100 with two decimals; the displayed value is the compared value. */
  readonly overall?: number;
  /** Names of the gates whose score is below their requirement. */
  readonly fallenGates: readonly string[];
  /** Expectations of weight 0 that could not be decided and were left out. */
  readonly ungraded: number;
  readonly error?: ErrorRecord;
}

/** Decides a measured trial from its grades. A gate changes the verdict and never the score. */
export function decide(
  grades: readonly Grade[],
  threshold: number,
  scale: ScoreScale = 'fraction',
): Decision {
  const gates = grades.filter((grade) => grade.required !== undefined);
  const fallenGates = gates.filter(fell).map((grade) => grade.name);
  const unscored = grades.filter((grade) => grade.score === null);
  const blocking = unscored.find(counts);
  const ungraded = unscored.filter((grade) => !counts(grade)).length;
  if (blocking !== undefined) {
    const message = `${blocking.name}: ${blocking.reason}`;
    const error = graderError(message, blocking.failureCode);
    return { verdict: 'errored', score: null, fallenGates, ungraded, error };
  }
  const mean = weightedScore(grades) ?? share(gates);
  const overall = mean === null || scale === 'fraction' ? undefined : Number((mean * 100).toFixed(2));
  const score = overall === undefined ? mean : round9(overall / 100);
  if (score === null) {
    return { verdict: 'errored', score, fallenGates, ungraded, error: WITHOUT_SCORE };
  }
  const passed = fallenGates.length === 0 && score >= round9(threshold);
  const verdict = passed ? 'passed' : 'failed';
  return overall === undefined
    ? { verdict, score, fallenGates, ungraded }
    : { verdict, score, overall, fallenGates, ungraded };
}

/** The decision on an attempt that was cancelled before it was judged. */
export const CANCELLED: Decision = { verdict: 'cancelled', score: null, fallenGates: [], ungraded: 0 };

/** The decision on an attempt that could not be measured. */
export function undecided(error: ErrorRecord): Decision {
  return { verdict: 'errored', score: null, fallenGates: [], ungraded: 0, error };
}

/** The same decision, but something that belongs to the measurement failed after it. */
export function spoiled(decision: Decision, error: ErrorRecord): Decision {
  return { ...decision, verdict: 'errored', score: null, error };
}

/** The same decision with one more gate, which fell. */
export function fallenAt(decision: Decision, gate: string): Decision {
  return { ...decision, verdict: 'failed', fallenGates: [...decision.fallenGates, gate] };
}

/** The status of a verdict, given that a failure may be expected. */
export function statusOf(verdict: Verdict, expectedFail: boolean): { status: Status; passed: boolean } {
  if (!expectedFail || (verdict !== 'passed' && verdict !== 'failed')) {
    return { status: verdict, passed: verdict === 'passed' };
  }
  return verdict === 'failed'
    ? { status: 'expected-failed', passed: true }
    : { status: 'unexpected-passed', passed: false };
}

/** Sum(score * weight) / sum(weight) over the decided grades; null when the sum of weights is 0. */
export function weightedScore(grades: readonly Grade[]): number | null {
  let sum = 0;
  let weights = 0;
  for (const grade of grades) {
    if (grade.score === null) continue;
    sum += grade.score * grade.weight;
    weights += grade.weight;
  }
  return weights === 0 ? null : round9(sum / weights);
}

/** Whether an expectation can affect a verdict, by a weight or by a gate. */
export function mayDecide(written: { readonly weight?: unknown }): boolean {
  return written.weight !== 0 || holdsGate(written);
}

function holdsGate(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsGate);
  if (!isObject(value)) return false;
  const { required, ...rest } = value;
  return (required !== undefined && required !== false) || Object.values(rest).some(holdsGate);
}

/** Whether a grade affects the verdict. */
function counts(grade: Grade): boolean {
  return grade.weight > 0 || grade.required !== undefined;
}

function fell(gate: Grade): boolean {
  return gate.score !== null && round9(gate.score) < round9(gate.required ?? 0);
}

function share(gates: readonly Grade[]): number | null {
  if (gates.length === 0) return null;
  return round9(gates.filter((gate) => !fell(gate)).length / gates.length);
}

const WITHOUT_SCORE: ErrorRecord = {
  stage: 'grading',
  kind: 'grader',
  code: 'grader',
  message: 'there is no score: every expectation has weight 0, and none has `required`',
  hint: 'give one expectation a weight, or set `required: true`',
};

function graderError(message: string, detail?: string): ErrorRecord {
  // The grader was never called, because the agent's files could not be read.
  if (detail === 'normalization') return { stage: 'target', kind: detail, code: detail, message };
  const known = detail === undefined ? {} : { detail };
  const kind = detail === 'assert-hook' ? detail : 'grader';
  return { stage: 'grading', kind, ...known, code: detail ?? 'grader', message };
}

/** Above it, sums of weights would lose precision and finally overflow. */
const HEAVIEST = 1_000_000_000;

/** The weight of something in a weighted mean. */
export function weightKey() {
  return z.number().min(0).max(HEAVIEST, `expected a weight of at most ${HEAVIEST}`);
}
