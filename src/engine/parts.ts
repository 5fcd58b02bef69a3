import type { Grade, Grader, Subject } from '../core/grade.ts';
import type { Ledger, Price } from '../core/price.ts';
import type { Limits } from '../core/limits.ts';
import type { AttemptRow, Emitted, Fact, Row } from '../core/run.ts';
import type { Artifacts, SessionState, Target, ToolWorld, AttemptArtifacts } from '../core/target.ts';
import type { Expectation, Skip, TestCase } from '../core/test-case.ts';
import type { Trial } from '../core/trial.ts';
import type { User } from '../core/user.ts';
import type { Decision } from '../core/verdict.ts';
import type { Workspaces } from '../core/workspace.ts';

/** What a trial is held to, resolved from flag, test, suite, config and default. */
export interface TrialSettings {
  readonly limits: Limits;
  readonly threshold: number;
  readonly retryInfrastructure: number;
  readonly price?: Price;
  /** Whether the target tells of every tool call. */
  readonly tellsToolCalls?: boolean;
  /** Whether asking the target costs something: where it tells nothing of that, it is unknown. */
  readonly isPaid?: boolean;
  /** USD that a session can cost, set aside while it lasts; absent: nothing, or it is counted call by call. */
  readonly ceilingUsd?: number;
  /** What a met ceiling does: the trial is errored, unless it is to be graded as it stands. */
  readonly onLimit?: OnLimit;
}

export type OnLimit = 'error' | 'grade';

/** What a model other than the agent's was asked for. */
export type ModelUse = Extract<Fact, { type: 'model-usage' }>;

/** What a user is given of its attempt. */
export interface UserScene {
  readonly target: string;
  /** Of the trial, from 1. */
  readonly repetition: number;
  readonly artifacts: Artifacts;
  /** Told of every answer of a model, also of those that could not be used. */
  readonly spent: (use: ModelUse) => void;
}

/** A trial with everything the plan knows about it. */
export interface PlannedTrial extends Trial {
  /** Where its case is: position of the suite in the plan, and of the case in the suite. */
  readonly place: { readonly suite: number; readonly index: number };
  readonly skip?: Skip;
  /** Attempts of an earlier process, when a trial is run again. */
  readonly earlier?: readonly AttemptRow[];
  readonly digests: Row['digests'];
  /** Numbers of the graders' digests, one for each expectation. */
  readonly graders: readonly number[];
}

/** An attempt whose verdict is known, before its workspace and its artifacts are put away. */
export interface EndedAttempt {
  readonly trial: Pick<Trial, 'suite' | 'caseId' | 'target' | 'repetition'>;
  /** From 1. */
  readonly attempt: number;
  readonly testCase: TestCase;
  /** Absent when the agent did not finish. */
  readonly subject?: Subject;
  readonly grades: readonly Grade[];
  readonly decision: Decision;
  readonly artifacts: Pick<Artifacts, 'directory' | 'write'>;
  /** No other attempt follows. */
  readonly isLast: boolean;
  readonly durationMs: number;
  /** What the agent keeps of the session; gone once the attempt is concluded. */
  readonly state?: SessionState;
}

/** What was made of an ended attempt. */
export interface ConcludedAttempt {
  readonly decision: Decision;
  readonly failureClass?: NonNullable<Row['failureClass']>;
  /** Beside those of its expectations. */
  readonly grades?: readonly Grade[];
  /** It failed for a reason that `expectedFail` does not cover. */
  readonly isUnexpected?: true;
  readonly notes?: readonly string[];
}

/** The attempt that tools are opened for. */
export interface ToolScene {
  readonly trial: PlannedTrial;
  readonly testCase: TestCase;
  readonly artifacts: Pick<Artifacts, 'write'>;
  /** Ends the session with this error. */
  readonly broken: (error: unknown) => void;
}

/** Everything a trial needs from outside the engine. */
export interface Parts {
  readonly runId: string;
  readonly seed: number;
  /** Whether nothing of whoever runs it reaches the agent of a target; undefined: nobody knows. */
  readonly isHermetic?: (target: string) => boolean | undefined;
  /** Absent: nothing bounds what the run costs. */
  readonly ledger?: Ledger;
  readonly now: () => number;
  /** A new random name for the processes of an attempt. */
  readonly marker: () => string;
  readonly caseOf: (trial: PlannedTrial) => TestCase;
  readonly settingsFor: (testCase: TestCase, target: string) => TrialSettings;
  /** The target, prepared; rejects with the error that every trial of it ends with. */
  readonly target: (name: string, signal: AbortSignal) => Promise<Target>;
  readonly userFor: (testCase: TestCase, scene: UserScene) => User;
  readonly graderFor: (expectation: Expectation, testCase: TestCase) => Grader;
  readonly workspaces: Workspaces;
  /** The tools of an attempt; undefined when it has none that the target could call. */
  readonly openWorld?: (scene: ToolScene) => Promise<ToolWorld | undefined>;
  /** Has the last word on an attempt, and writes what people look for in its artifacts. */
  readonly conclude?: (ended: EndedAttempt) => Promise<ConcludedAttempt>;
  readonly artifacts: (trial: Trial, attempt: number) => AttemptArtifacts;
  readonly emit: (fact: Emitted) => void;
  readonly settle: (fact: Emitted) => Promise<void>;
}
