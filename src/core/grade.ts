import { given } from '../lib/given.ts';
import { round9 } from '../lib/text/decimals.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import { BudgetSpent, messageOf } from './errors.ts';
import type { FileChange } from './file-change.ts';
import type { WorldOutcome } from './tools.ts';
import type { Expectation, TestCase } from './test-case.ts';
import type { Transcript } from './transcript.ts';
import type { Usage } from './usage.ts';

/** One piece of evidence for a grade. */
export interface Evidence {
  readonly text: string;
  readonly passed: boolean;
  /** Turns of the transcript that it refers to, from 1. */
  readonly turns?: readonly number[];
}

/** What a grader found, before the name, weight and gate of its expectation are added. */
export interface Finding {
  /** From 0 to 1; null when it could not be decided. */
  readonly score: number | null;
  /** Overrides `score >= threshold`, for graders whose answer says whether it passed. */
  readonly passed?: boolean;
  /** The reason, written for people. */
  readonly reason: string;
  readonly evidence?: readonly Evidence[];
  readonly members?: readonly Grade[];
  readonly details?: JsonValue;
  readonly model?: string;
  readonly usage?: Usage;
  /** USD; null when the cost is unknown. */
  readonly costUsd?: number | null;
  /** Highest score minus lowest score of several samples. */
  readonly spread?: number;
  readonly failureCode?: string;
  /** Label of the expected outcome that this grade decides. */
  readonly outcome?: string;
  readonly notes?: readonly string[];
  /** Set when a part of the expectation is itself a gate: the grade is named `<expectation>/<part>`. */
  readonly part?: string;
  readonly required?: number;
  readonly weight?: number;
}

/** The result of one expectation. */
export interface Grade extends Omit<Finding, 'part'> {
  readonly name: string;
  readonly type: string;
  readonly passed: boolean;
  /** The name under which totals count it. */
  readonly metric?: string;
  readonly threshold?: number;
  readonly weight: number;
  readonly required?: number;
  readonly durationMs: number;
  /** Position of the grader's digest in the run's list of digests. */
  readonly digest?: number;
}

/** Measured values of a session, for graders of latency, cost and effort. */
export interface Measures {
  /** Duration of the session in milliseconds. */
  readonly durationMs: number;
  /** Duration of each turn of the agent in milliseconds. */
  readonly latency?: readonly number[];
  readonly turns: number;
  readonly steps: number;
  readonly usage?: Usage;
  /** Cost of the agent in USD; null when any part of it is unknown. */
  readonly costUsd: number | null;
}

/** What a target reports about a session besides its transcript. */
export interface SessionFacts {
  readonly id?: string;
  /** Files that its program left; absolute paths. */
  readonly files?: readonly string[];
  /** Events of unknown kinds: how many of each kind. */
  readonly unknownEvents?: Readonly<Record<string, number>>;
}

/** The directory of a trial after the agent has ended. */
export interface GradedWorkspace {
  readonly directory: string;
  /** In a regrade: paths whose content differs from what the agent left, because secrets were removed. */
  readonly redacted?: readonly string[];
  changes(): Promise<readonly FileChange[]>;
}

/** What graders look at. */
export interface Subject {
  readonly case: TestCase;
  readonly target: string;
  readonly runId: string;
  /** Repetition of the trial, from 1. */
  readonly repetition?: number;
  readonly transcript: Transcript;
  /** Whether the target reports every tool call; when false, some calls may be missing. */
  readonly tellsToolCalls?: boolean;
  /** Text of the last answer, structured content as compact JSON. */
  readonly answer: string;
  readonly measures: Measures;
  /** What the target reported about its session. */
  readonly session?: SessionFacts;
  /** The final state of stateful tools; absent when the case has none of them. */
  readonly world?: WorldOutcome;
  /** Absent when the trial had no workspace or, in a regrade, when it was not kept. */
  readonly workspace?: GradedWorkspace;
  /** In a proof of the graders: what is graded instead of the work of an agent. */
  readonly proof?: 'oracle' | 'other';
  /** Reports something about the trial that only grading shows. */
  readonly note?: (text: string) => void;
}

/** Decides one expectation. When it throws, the expectation could not be decided. */
export interface Grader {
  grade(subject: Subject, signal: AbortSignal): Promise<readonly Finding[]>;
  /** Begins what takes long to start, such as a process. Faults show up when it grades. */
  prepare?(): void;
}

/** The pass threshold of a grade when none is set. */
export const GRADE_THRESHOLD = 0.8;

/** The finding of a yes-or-no check. */
export function verdictFinding(holds: boolean, reason: string, evidence?: readonly Evidence[]): Finding {
  const score = holds ? 1 : 0;
  return evidence === undefined ? { score, reason } : { score, reason, evidence };
}

/** Adds the name, weight, gate and threshold of the expectation to what its grader found. */
export function gradeOf(
  expectation: Expectation,
  finding: Finding,
  measured: { readonly durationMs: number; readonly digest?: number },
): Grade {
  const { part, score: raw, passed: claimed, reason, required, weight } = finding;
  const outOfRange = raw !== null && !(raw >= 0 && raw <= 1);
  const kept = raw === null || outOfRange ? null : round9(raw);
  const score = kept !== null && expectation.negate === true ? round9(1 - kept) : kept;
  const threshold = expectation.threshold ?? GRADE_THRESHOLD;
  const gate = part === undefined ? expectation.required : required;
  const byClaim = expectation.negate === true || claimed === undefined ? undefined : claimed;
  const grade: Partial<{ -readonly [Key in keyof Grade]: Grade[Key] }> = {
    name: part === undefined ? expectation.name : `${expectation.name}/${part}`,
    type: expectation.type,
    score,
    passed: score !== null && (byClaim ?? score >= round9(threshold)),
  };
  if (expectation.metric !== undefined && part === undefined) grade.metric = expectation.metric;
  // Member by member: every expectation of every trial is graded, and spreads in between make a grade slow.
  if (expectation.threshold !== undefined) grade.threshold = threshold;
  grade.weight = weight ?? (part === undefined ? expectation.weight : 0);
  if (gate !== undefined) grade.required = gate;
  grade.reason = outOfRange
    ? `the grader returned ${raw}, expected a score from 0 to 1: ${reason}`
    : raw === null
      ? reason
      : negated(reason, expectation);
  // Score and reason, and nothing else.
  if (Object.keys(finding).length > 2) Object.assign(grade, restOf(finding));
  grade.durationMs = measured.durationMs;
  if (measured.digest !== undefined) grade.digest = measured.digest;
  return grade as Grade;
}

/** What a grade takes over as it is. */
function restOf(finding: Finding): Partial<Finding> {
  const { part: _, score: _s, passed: _p, reason: _r, required: _q, weight: _w, ...rest } = finding;
  return rest;
}

/** The grade of a grader that threw: undecided, never 0. A spent budget is thrown on. */
export function erroredGrade(
  expectation: Expectation,
  error: unknown,
  measured: { readonly durationMs: number; readonly digest?: number },
): Grade {
  if (error instanceof BudgetSpent) throw error;
  const details = (error as { details?: JsonObject } | undefined)?.details;
  const reason = `could not be decided: ${messageOf(error)}`;
  const plain: Expectation = { ...expectation, negate: false };
  return gradeOf(plain, { score: null, reason, ...given({ details }) }, measured);
}

function negated(reason: string, expectation: Expectation): string {
  return expectation.negate === true ? `expected the opposite (negate): ${reason}` : reason;
}
