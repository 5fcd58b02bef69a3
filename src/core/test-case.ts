import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { Limits } from './limits.ts';
import type { Message } from './message.ts';
import type { ToolSpec } from './tools.ts';
import type { UserPlan } from './user.ts';

/** What must hold, and the grader that decides it. Plain data: it is stored, sent and digested. */
export interface Expectation {
  /** Unique among the expectations of its case. */
  readonly name: string;
  /** Type of a grader plugin. */
  readonly type: string;
  /** >= 0; its share of the score. */
  readonly weight: number;
  /** A gate: the least score, in (0, 1]; below it the trial fails whatever the score. */
  readonly required?: number;
  /** Turns the score round: 1 - score. */
  readonly negate?: boolean;
  /** Of the grade's own `passed`; default 0.8. */
  readonly threshold?: number;
  /** As the grader's schema gave it back; its keys are the authoring format's. */
  readonly config: JsonObject;
  /** Absolute folder that relative paths of the config start from; absent: the case's. */
  readonly directory?: string;
  /** Sees the transcript as it stood after the answer to this line of the user, from 1; absent: the whole. */
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
  /** Absolute folder that is copied in. */
  readonly template?: string;
  readonly setup?: WorkspaceScript;
  readonly teardown?: WorkspaceScript;
  readonly keep?: 'always' | 'never' | 'on-failure';
  /** Globs of template files that are put back before grading. */
  readonly restore?: readonly string[];
  /** Runs inside the workspace with the operator's whole environment; of code suites. */
  readonly bootstrap?: WorkspaceScript;
  /** A git repository with a first commit is begun in it, unless the template brings one. */
  readonly repository?: true;
  /** Several trials work in it; absent: every attempt has one of its own. */
  readonly shared?: SharedWorkspace;
}

/** A directory for several trials: a user's own, or one that lives as long as the run. */
export type SharedWorkspace =
  | { readonly directory: string }
  /** Trials with an equal plan and key share it. */
  | { readonly key: string };

/** A prepared answer to calls of a tool. */
export interface ToolMock {
  readonly tool: string;
  /** How `params` are compared with the arguments of a call; `any`: not at all. */
  readonly match: 'partial' | 'exact' | 'any';
  readonly params?: JsonObject;
  /** How many calls of an attempt it answers; absent: any number. */
  readonly times?: number;
  readonly answer:
    | { readonly result: JsonValue }
    | { readonly error: { readonly code: string; readonly message: string } }
    /** Name of a tool of a registered world module. */
    | { readonly handler: string };
}

/** A misbehaviour of a tool; with neither `onCall` nor `probability` it never happens. */
export interface PlannedFault {
  readonly tool: string;
  readonly kind: 'timeout' | 'http-5xx' | 'malformed' | 'slow';
  /** How long `timeout` and `slow` hold the call, milliseconds. */
  readonly delayMs?: number;
  /** The call of this tool it happens to, from 1. */
  readonly onCall?: number;
  /** Of each call, drawn from the seed. */
  readonly probability?: number;
}

/** How hard a stored case is said to be. */
export type Difficulty = 'normal' | 'hard';

/** What cases of each difficulty count for in a weighted rate; >= 0, not both 0. */
export type DifficultyWeights = Readonly<Record<Difficulty, number>>;

/** Why a case is planned and not run. */
export interface Skip {
  readonly kind: SkipKind;
  readonly reason?: string;
}

export type SkipKind = 'draft' | 'archived' | 'dependency' | 'skip' | 'budget' | 'run-stopped';

/** How exact a score is: with 9 decimals, or a percentage with two, of which the score is a hundredth. */
export type ScoreScale = 'fraction' | 'percent';

/** One question put to a target: plain JSON data, without any function. */
export interface TestCase {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  /** Where it is written: path as shown to people, and line from 1. */
  readonly source?: { readonly file: string; readonly line?: number };
  /** Absolute folder that relative paths start from. */
  readonly directory: string;
  readonly tags: readonly string[];
  readonly difficulty?: Difficulty;
  /** Earlier messages; the last, where it is the user's, opens the first turn. All are history beside a scripted user. */
  readonly input: readonly Message[];
  /** Absent: the user says the last message of `input`, and no more. */
  readonly user?: UserPlan;
  /** Turns of the agent after which the conversation ends; the smaller of it and the limit counts. */
  readonly maxTurns?: number;
  readonly criteria?: string;
  /** Ideal messages; the content of the last one is the reference. */
  readonly expectedOutput?: readonly Message[];
  /** What an answer that must pass looks like, where it is not the expected output; only for proving graders. */
  readonly oracle?: readonly Message[];
  readonly metadata?: JsonObject;
  /** sha-256 of the module that the case is written in and of its local imports. */
  readonly module?: string;
  /** For graders only. */
  readonly sidecar?: JsonObject;
  readonly vars?: JsonObject;
  readonly workspace?: WorkspacePlan;
  readonly limits?: Partial<Limits>;
  readonly threshold?: number;
  /** Absent: as a fraction. */
  readonly scoredIn?: ScoreScale;
  readonly repeat?: number;
  readonly expectedFail?: boolean;
  readonly skip?: Skip;
  /** Ids of this suite. */
  readonly dependsOn?: readonly string[];
  /** Names of targets; absent: those the run decides. */
  readonly targets?: readonly string[];
  /** Tools that the target is offered beside its own; of one name these count. */
  readonly tools?: readonly ToolSpec[];
  /** In the order they are tried. */
  readonly mocks?: readonly ToolMock[];
  readonly faults?: readonly PlannedFault[];
  readonly expectations: readonly Expectation[];
  /** What the loader wants people to know about this case. */
  readonly notes?: readonly string[];
  /** As the authoring format defines it; absent: of the content that decides what is measured. */
  readonly digest?: string;
}

/** Cases that are unpacked one at a time, so that a suite of 100,000 does not live in memory as objects. */
export interface CaseList {
  readonly length: number;
  at(index: number): TestCase;
}

/** A named set of cases. */
export interface Suite {
  /** Path of its file relative to the project root, `/` as separator. */
  readonly id: string;
  /** A label and no identity. */
  readonly name: string;
  readonly description?: string;
  /** Absolute path of its file. */
  readonly file: string;
  readonly cases: CaseList;
}
