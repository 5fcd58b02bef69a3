import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { Limits } from './limits.ts';
import type { Message } from './message.ts';
import type { ToolSpec } from './tools.ts';
import type { UserPlan } from './user.ts';

/** What must hold, and the grader that decides it. Plain data that can be stored, sent and digested. */
export interface Expectation {
  /** Unique among the expectations of its case. */
  readonly name: string;
  /** Type of a grader plugin. */
  readonly type: string;
  /** >= 0: its weight in the score. */
  readonly weight: number;
  /** Makes it a gate: below this score in (0, 1] the trial fails, whatever its total score. */
  readonly required?: number;
  /** Inverts the score: 1 - score. */
  readonly negate?: boolean;
  /** The score from which the grade passes; default 0.8. */
  readonly threshold?: number;
  /** Its grades are counted under this name, together with those of other graders. */
  readonly metric?: string;
  /** As parsed by the grader's schema; keys are those of the authoring format. */
  readonly config: JsonObject;
  /** Absolute folder for relative paths of the config; absent: the folder of the case. */
  readonly directory?: string;
  /** Grades the transcript up to the answer to this message of the user, from 1; absent: the whole transcript. */
  readonly afterLine?: number;
}

/** A program that prepares or cleans up a workspace. */
export interface WorkspaceScript {
  readonly script: readonly string[];
  readonly timeoutMs?: number;
  /** Absolute. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The directory a trial works in. */
export interface WorkspacePlan {
  /** Absolute folder that is copied into the workspace. */
  readonly template?: string;
  readonly setup?: WorkspaceScript;
  readonly teardown?: WorkspaceScript;
  readonly keep?: 'always' | 'never' | 'on-failure';
  /** Globs of template files that are restored before grading. */
  readonly restore?: readonly string[];
  /** Runs inside the workspace with the operator's whole environment; only for code suites. */
  readonly bootstrap?: WorkspaceScript;
  /** Creates a git repository with a first commit, unless the template contains one. */
  readonly repository?: true;
  /** Several trials share it; absent: every attempt has its own. */
  readonly shared?: SharedWorkspace;
}

/** A directory for several trials: a user's own, or one that lives as long as the run. */
export type SharedWorkspace =
  | { readonly directory: string }
  /** Trials with the same plan and key share it. */
  | { readonly key: string };

/** A prepared answer to calls of a tool. */
export interface ToolMock {
  readonly tool: string;
  /** How `params` are compared with the arguments of a call; `any`: they are not compared. */
  readonly match: 'partial' | 'exact' | 'any';
  readonly params?: JsonObject;
  /** Number of calls that it answers in an attempt; absent: unlimited. */
  readonly times?: number;
  readonly answer:
    | { readonly result: JsonValue }
    | { readonly error: { readonly code: string; readonly message: string } }
    /** Name of a tool of a registered world module. */
    | { readonly handler: string };
}

/** A planned misbehaviour of a tool; without `onCall` and `probability` it never happens. */
export interface PlannedFault {
  readonly tool: string;
  readonly kind: 'timeout' | 'http-5xx' | 'malformed' | 'slow';
  /** Delay of `timeout` and `slow` in milliseconds. */
  readonly delayMs?: number;
  /** The call of this tool that it affects, from 1. */
  readonly onCall?: number;
  /** Probability per call, drawn with the seed. */
  readonly probability?: number;
}

/** The difficulty of a stored case. */
export type Difficulty = 'normal' | 'hard';

/** Weights of each difficulty in a weighted rate; >= 0, not both 0. */
export type DifficultyWeights = Readonly<Record<Difficulty, number>>;

/** Why a case is planned and not run. */
export interface Skip {
  readonly kind: SkipKind;
  readonly reason?: string;
}

export type SkipKind = 'draft' | 'archived' | 'dependency' | 'skip' | 'budget' | 'run-stopped';

/** The precision of a score: a fraction with 9 decimals, or a percentage with two. */
export type ScoreScale = 'fraction' | 'percent';

/** One question to a target: plain JSON data, without functions. */
export interface TestCase {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  /** Where it is written: path as shown to people, and line from 1. */
  readonly source?: { readonly file: string; readonly line?: number };
  /** Absolute folder for relative paths. */
  readonly directory: string;
  readonly tags: readonly string[];
  readonly difficulty?: Difficulty;
  /** Earlier messages. A last message of the user starts the first turn; with a scripted user all are history. */
  readonly input: readonly Message[];
  /** Absent: the user sends the last message of `input` and nothing else. */
  readonly user?: UserPlan;
  /** Agent turns after which the conversation ends; the smaller of this and the limit counts. */
  readonly maxTurns?: number;
  readonly criteria?: string;
  /** Ideal messages; the content of the last one is the reference. */
  readonly expectedOutput?: readonly Message[];
  /** An example of an answer that must pass, if it differs from the expected output; only for `prove`. */
  readonly oracle?: readonly Message[];
  readonly metadata?: JsonObject;
  /** sha-256 of the module of the case and its local imports. */
  readonly module?: string;
  /** For graders only. */
  readonly sidecar?: JsonObject;
  readonly vars?: JsonObject;
  readonly workspace?: WorkspacePlan;
  readonly limits?: Partial<Limits>;
  readonly threshold?: number;
  /** Absent: a fraction. */
  readonly scoredIn?: ScoreScale;
  /** A stored case says nothing of what a good end is: only what the run grades in every case decides. */
  readonly expectsNothing?: true;
  /** A stored case has expected outcomes that its run does not judge. */
  readonly leavesOutcomes?: true;
  readonly repeat?: number;
  /** Multiplies the repetitions of the run: of a member of a set. Absent: 1. */
  readonly repeatFactor?: number;
  readonly expectedFail?: boolean;
  /** Why nobody can pass it without cheating. A pass is evidence of a cheat. */
  readonly impossible?: string;
  readonly skip?: Skip;
  /** Ids of cases in this suite. */
  readonly dependsOn?: readonly string[];
  /** Names of targets; absent: the targets of the run. */
  readonly targets?: readonly string[];
  /** Tools offered to the target besides its own; they override its own tools of the same name. */
  readonly tools?: readonly ToolSpec[];
  /** In the order in which they are tried. */
  readonly mocks?: readonly ToolMock[];
  readonly faults?: readonly PlannedFault[];
  readonly expectations: readonly Expectation[];
  /** Warnings of the loader about this case. */
  readonly notes?: readonly string[];
  /** As defined by the authoring format; absent: digest of the content that decides what is measured. */
  readonly digest?: string;
}

/** Cases that are unpacked one at a time, so that a suite of 100,000 cases fits in memory. */
export interface CaseList {
  readonly length: number;
  at(index: number): TestCase;
  /** Which of its cases a list knows. Absent if it knows all of them, as every list but that of a worker does. */
  readonly partly?: PartlyKnown;
}

/** Cases that are read when they are needed. */
export interface PartlyKnown {
  /** Whether `at` gives the case at that position now. */
  has(index: number): boolean;
  /** Reads more of them, by their places in the plan of their run. */
  read(places: readonly number[]): Promise<void>;
}

/** Id of the suite that contains all stored cases. Its `file` is a folder. */
export const STORED_SUITE = 'stored';

/** A named set of cases. */
export interface Suite {
  /** Path of its file relative to the project root, `/` as separator. */
  readonly id: string;
  /** A label, not an identity. */
  readonly name: string;
  readonly description?: string;
  /** Absolute path of its file. */
  readonly file: string;
  /** Formulas over means of metrics, by name. */
  readonly derivedMetrics?: Readonly<Record<string, string>>;
  readonly cases: CaseList;
}

/** The cases of a list that it knows now. */
export function* knownCases({ length, at, partly }: CaseList): Generator<TestCase> {
  for (let index = 0; index < length; index++) if (partly?.has(index) !== false) yield at(index);
}
