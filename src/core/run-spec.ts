import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { JudgeChoice } from './judge.ts';
import type { Limits } from './limits.ts';
import type { RunOptions } from './run-options.ts';
import type { Skip } from './test-case.ts';

/** What a run executes, as plain JSON: made by planning, kept with the run, bound to any machine that executes it. */
export interface RunSpec {
  readonly formatVersion: number;
  /** What was asked for, with references that last. */
  readonly options: RunOptions;
  readonly settings: SpecSettings;
  /** Kinds of cases name them by position. */
  readonly suites: readonly SpecSuite[];
  /** What many cases have in common. */
  readonly kinds: readonly CaseKind[];
  readonly cases: SpecCases;
  /** Under test. */
  readonly targets: readonly SpecTarget[];
  readonly judges: SpecJudges;
  /** Absent: no conversation needs anybody who plays the user. */
  readonly user?: SpecUser;
  /** Stored runs that targets replay: as written, and what that means. */
  readonly replays: Readonly<Record<string, string>>;
  /** sha-256 each, of cases, graders, targets and prompts; named by position. A store keeps them with the manifest. */
  readonly digests: readonly string[];
}

/** What trials are held to: flags over config over defaults. */
export interface SpecSettings {
  readonly seed: number;
  /** Trials at once. */
  readonly concurrency: number;
  /** Absent: trials of one shared directory run one after the other. */
  readonly schedule?: 'serial' | 'isolated-by-runner' | 'parallel';
  readonly threshold: number;
  readonly retryInfrastructure: number;
  readonly maxErrored: number;
  readonly failFast: boolean;
  readonly limits: Limits;
}

export interface SpecSuite {
  readonly id: string;
  /** Absolute. */
  readonly file: string;
  /** How many cases it has, planned or not. */
  readonly cases: number;
}

/** Cases by column, in the order of the plan, since there may be 100,000 of them. */
export interface SpecCases {
  readonly id: readonly string[];
  /** Positions in their suites. */
  readonly at: readonly number[];
  /** Positions in `kinds`. */
  readonly kind: readonly number[];
  /** Numbers of their digests. */
  readonly digest: readonly number[];
}

/** How cases are run and graded; all digests are numbers. */
export interface CaseKind {
  readonly suite: number;
  readonly targets: readonly string[];
  readonly repeat: number;
  /** One for each expectation. */
  readonly graders: readonly number[];
  /** The same under targets that are judged by a judge of their own. */
  readonly gradersUnder?: Readonly<Record<string, readonly number[]>>;
  /** Judges that its model graders name, null for whichever is configured; absent: it has no model grader. */
  readonly judges?: readonly (JudgeChoice | null)[];
  readonly terms?: number;
  readonly mocks?: number;
  readonly userPrompt?: number;
  readonly dependsOn?: readonly string[];
  readonly skip?: Skip;
}

export interface SpecTarget {
  readonly name: string;
  readonly type: string;
  /** Without any value of the environment. */
  readonly written: JsonObject;
  /** Number of its digest. */
  readonly digest: number;
}

export interface SpecJudges {
  /** Of the config, as written. */
  readonly ofConfig?: JsonValue;
  /** Targets that judge. */
  readonly targets: readonly string[];
}

export interface SpecUser {
  /** Of the config, as written; absent: nobody is configured, and every line is written down. */
  readonly written?: JsonValue;
  /** Whether it has to think of something to say in any case. */
  readonly isAsked: boolean;
}
