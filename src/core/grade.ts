import { given } from '../lib/given.ts';
import { round9 } from '../lib/text/decimals.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import { BudgetSpent, messageOf } from './errors.ts';
import type { FileChange } from './file-change.ts';
import type { WorldOutcome } from './tools.ts';
import type { Expectation, TestCase } from './test-case.ts';
import type { Transcript } from './transcript.ts';
import type { Usage } from './usage.ts';

/** A piece of what a grade rests on. */
export interface Evidence {
  readonly text: string;
  readonly passed: boolean;
  /** Turns of the transcript it speaks about, from 1. */
  readonly turns?: readonly number[];
}

/** What a grader found, before name, weight and gate of its expectation are put on it. */
export interface Finding {
  /** 0..1; null: it could not be decided. */
  readonly score: number | null;
  /** Overrides score >= threshold, for graders whose answer carries it. */
  readonly passed?: boolean;
  /** In words a person can act on. */
  readonly reason: string;
  readonly evidence?: readonly Evidence[];
  readonly members?: readonly Grade[];
  readonly details?: JsonValue;
  readonly model?: string;
  readonly usage?: Usage;
  /** USD; null: spent and unknown. */
  readonly costUsd?: number | null;
  /** Difference of the highest and lowest of several samples. */
  readonly spread?: number;
  readonly failureCode?: string;
  /** Label of the expected outcome that it decides. */
  readonly outcome?: string;
  readonly notes?: readonly string[];
  /** Of a part of the expectation that gates by itself: the grade is named `<expectation>/<part>`. */
  readonly part?: string;
  readonly required?: number;
  readonly weight?: number;
}

/** One expectation, decided. */
export interface Grade extends Omit<Finding, 'part'> {
  readonly name: string;
  readonly type: string;
  readonly passed: boolean;
  readonly threshold?: number;
  readonly weight: number;
  readonly required?: number;
  readonly durationMs: number;
  /** Number of the grader's digest in the run's list. */
  readonly digest?: number;
}

/** What was measured of a session, for graders of latency, money and effort. */
export interface Measures {
  /** Of the session, milliseconds. */
  readonly durationMs: number;
  /** Of each turn of the agent, milliseconds. */
  readonly latency?: readonly number[];
  readonly turns: number;
  readonly steps: number;
  readonly usage?: Usage;
  /** Of the agent, USD; null when any part of it is unknown. */
  readonly costUsd: number | null;
}

/** What a target tells of a session beside its transcript. */
export interface SessionFacts {
  readonly id?: string;
  /** Files that its program left; absolute. */
  readonly files?: readonly string[];
  /** Kinds of events that its adapter does not know, with how many there were. */
  readonly unknownEvents?: Readonly<Record<string, number>>;
}

/** The directory of a trial, when the agent has ended. */
export interface GradedWorkspace {
  readonly directory: string;
  /** In a regrade: paths that are not as the agent left them, because secrets were taken out; absent: none. */
  readonly redacted?: readonly string[];
  changes(): Promise<readonly FileChange[]>;
}

/** What graders look at. */
export interface Subject {
  readonly case: TestCase;
  readonly target: string;
  readonly runId: string;
  /** Of the trial, from 1. */
  readonly repetition?: number;
  readonly transcript: Transcript;
  /** Whether the target tells of every tool call; false: it may be silent about them. */
  readonly tellsToolCalls?: boolean;
  /** Text of the last answer, structured content as compact JSON. */
  readonly answer: string;
  readonly measures: Measures;
  /** What the target told of its session. */
  readonly session?: SessionFacts;
  /** How the tools that keep a state were left; absent when the case has none. */
  readonly world?: WorldOutcome;
  /** Absent when the trial had none or, in a regrade, when it was not kept. */
  readonly workspace?: GradedWorkspace;
  /** Tells of the trial what shows only when it has been graded. */
  readonly note?: (text: string) => void;
}

/** Decides one expectation. A throw means that it could not be decided. */
export interface Grader {
  grade(subject: Subject, signal: AbortSignal): Promise<readonly Finding[]>;
}

/** The least score at which a grade counts as passed where nobody wrote one. */
export const GRADE_THRESHOLD = 0.8;

/** A yes-or-no finding. */
export function verdictFinding(holds: boolean, reason: string, evidence?: readonly Evidence[]): Finding {
  const score = holds ? 1 : 0;
  return evidence === undefined ? { score, reason } : { score, reason, evidence };
}

/** Puts the expectation's name, weight, gate and threshold on what its grader found. */
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
  // Member by member: every expectation of every trial is graded, and spreads in between make a grade slow.
  if (expectation.threshold !== undefined) grade.threshold = threshold;
  grade.weight = weight ?? (part === undefined ? expectation.weight : 0);
  if (gate !== undefined) grade.required = gate;
  grade.reason = outOfRange
    ? `the grader gave ${raw}, which is not within 0..1: ${reason}`
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

/** The grade of a grader that threw: not decided, and never 0. Money that is used up is no grade and is thrown on. */
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
