import type { IsolationLevel } from '../core/isolation-level.ts';
import type { Grade, Grader, Subject } from '../core/grade.ts';
import type { ResourceLimit } from '../core/sandbox.ts';
import type { Ledger, Price } from '../core/price.ts';
import type { KeptAnswers } from '../core/kept-answer.ts';
import type { Limits } from '../core/limits.ts';
import type { AttemptRow, Emitted, Fact, Row } from '../core/run.ts';
import type { Artifacts, SessionState, Target, ToolWorld, AttemptArtifacts } from '../core/target.ts';
import type { Expectation, Skip, TestCase } from '../core/test-case.ts';
import type { Trial } from '../core/trial.ts';
import type { User } from '../core/user.ts';
import type { Decision } from '../core/verdict.ts';
import type { Workspaces } from '../core/workspace.ts';

/** The settings of a trial, resolved from flag, test, suite, config and default. */
export interface TrialSettings {
  readonly limits: Limits;
  readonly threshold: number;
  readonly retryInfrastructure: number;
  readonly price?: Price;
  /** Whether the target reports every tool call. */
  readonly tellsToolCalls?: boolean;
  /** Whether the target is paid. Its cost is then unknown if it reports none. */
  readonly isPaid?: boolean;
  /** Highest cost of a session in US dollars, reserved while it lasts. Absent: free, or counted per call. */
  readonly ceilingUsd?: number;
  /** What happens at a limit: the trial is errored, or its transcript so far is graded. */
  readonly onLimit?: OnLimit;
}

export type OnLimit = 'error' | 'grade';

/** A call of a model other than the agent's. */
export type ModelUse = Extract<Fact, { type: 'model-usage' }>;

/** What a user gets about its attempt. */
export interface UserScene {
  readonly target: string;
  /** Repetition of the trial, from 1. */
  readonly repetition: number;
  readonly artifacts: Artifacts;
  /** Called for every answer of a model, including unusable ones. */
  readonly spent: (use: ModelUse) => void;
}

/** A trial with all data of the plan about it. */
export interface PlannedTrial extends Trial {
  /** Positions of its suite in the plan and of its case in the suite. */
  readonly place: { readonly suite: number; readonly index: number };
  readonly skip?: Skip;
  /** Attempts of an earlier process, if the trial is run again. */
  readonly earlier?: readonly AttemptRow[];
  readonly digests: Row['digests'];
  /** Numbers of the graders' digests, one per expectation. */
  readonly graders: readonly number[];
}

/** An attempt with a verdict, before its workspace and artifacts are released. */
export interface EndedAttempt {
  readonly trial: Pick<Trial, 'suite' | 'caseId' | 'target' | 'repetition'>;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly testCase: TestCase;
  /** Absent if the agent did not finish. */
  readonly subject?: Subject;
  /** Absolute; where the agent worked. Absent without a workspace. */
  readonly directory?: string;
  readonly grades: readonly Grade[];
  readonly decision: Decision;
  readonly artifacts: Pick<Artifacts, 'directory' | 'write'>;
  /** Whether no other attempt follows. */
  readonly isLast: boolean;
  readonly durationMs: number;
  /** The agent's session state, which is removed after the attempt is concluded. */
  readonly state?: SessionState;
}

/** The conclusion about an ended attempt. */
export interface ConcludedAttempt {
  readonly decision: Decision;
  readonly failureClass?: NonNullable<Row['failureClass']>;
  /** Further grades besides those of its expectations. */
  readonly grades?: readonly Grade[];
  /** The failure has a reason that `expectedFail` does not cover. */
  readonly isUnexpected?: true;
  readonly notes?: readonly string[];
}

/** The attempt for which tools are opened. */
export interface ToolScene {
  readonly trial: PlannedTrial;
  readonly testCase: TestCase;
  readonly artifacts: Pick<Artifacts, 'write'>;
  /** Ends the session with this error. */
  readonly broken: (error: unknown) => void;
}

/** What grades, and must stay the same during a run: suites, graders and their files. */
export interface Evidence {
  /** A file behind the grades of a trial that has changed since the run began. */
  changed(trial: PlannedTrial): string | undefined;
}

/** What the plan of a run says about its trials. */
export interface TrialPlan {
  readonly runId: string;
  readonly seed: number;
  readonly caseOf: (trial: PlannedTrial) => TestCase;
  readonly settingsFor: (testCase: TestCase, target: string) => TrialSettings;
}

/** The targets of a run, and what surrounds them in an attempt. */
export interface TrialTargets {
  /** The prepared target. Rejects with an error that ends every trial of it. */
  readonly target: (name: string, signal: AbortSignal) => Promise<Target>;
  /** Whether the agent of a target is isolated from the user's environment; undefined if unknown. */
  readonly isHermetic?: (target: string) => boolean | undefined;
  /** The level of a target's programs; undefined if it starts none. */
  readonly isolationOf?: (target: string) => IsolationLevel | undefined;
  /** The limits of a target's sandbox that it does not enforce. Default: none. */
  readonly unenforcedOf?: (target: string) => readonly ResourceLimit[];
  readonly userFor: (testCase: TestCase, scene: UserScene) => User;
  readonly workspaces: Workspaces;
  /** Opens the tools of an attempt. Undefined if it has no tools that the target could call. */
  readonly openTools?: (scene: ToolScene) => Promise<ToolWorld | undefined>;
  /** A new random name for the processes of an attempt. */
  readonly marker: () => string;
}

/** What judges an attempt. */
export interface TrialGrading {
  readonly graderFor: (expectation: Expectation, testCase: TestCase) => Grader;
  /** Absent: nothing is watched. */
  readonly evidence?: Evidence;
  /** Concludes an attempt, and writes its final artifacts. */
  readonly conclude?: (ended: EndedAttempt) => Promise<ConcludedAttempt>;
}

/** Where facts and files of trials are written. */
export interface TrialRecord {
  readonly emit: (fact: Emitted) => void;
  readonly settle: (fact: Emitted) => Promise<void>;
  readonly artifacts: (trial: Trial, attempt: number) => AttemptArtifacts;
  /** Absent: every agent is asked. */
  readonly answers?: KeptAnswers;
}

/** Everything that a trial needs from outside the engine. */
export interface TrialContext extends TrialPlan, TrialTargets, TrialGrading, TrialRecord {
  /** Absent: no cost limit. */
  readonly ledger?: Ledger;
  readonly now: () => number;
}
