import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { JudgeChoice } from './judge.ts';
import type { Limits } from './limits.ts';
import type { RunOptions } from './run-options.ts';
import type { Skip } from './test-case.ts';

/** Everything that a run executes, as plain JSON. Planning makes it, the run keeps it, and any machine can bind it. */
export interface RunSpec {
  readonly formatVersion: number;
  /** The requested options, with references that stay valid. */
  readonly options: RunOptions;
  readonly settings: SpecSettings;
  /** Kinds of cases refer to them by position. */
  readonly suites: readonly SpecSuite[];
  /** What many cases have in common. */
  readonly kinds: readonly CaseKind[];
  readonly cases: SpecCases;
  /** Targets under test. */
  readonly targets: readonly SpecTarget[];
  readonly judges: SpecJudges;
  /** Absent when no conversation needs a simulated user. */
  readonly user?: SpecUser;
  /** Stored runs that targets replay: as written, and their ids. */
  readonly replays: Readonly<Record<string, string>>;
  /**
   * sha-256 digests of cases, graders, targets and prompts; referred to by position. A store keeps them with the
   * manifest.
   */
  readonly digests: readonly string[];
}

/** Limits of trials: flags override the config, which overrides defaults. */
export interface SpecSettings {
  readonly seed: number;
  /** Number of concurrent trials. */
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
  /** Number of its cases, planned or not. */
  readonly cases: number;
}

/** Cases by column, in the order of the plan, because there may be 100,000 of them. */
export interface SpecCases {
  readonly id: readonly string[];
  /** Positions of the cases in their suites. */
  readonly at: readonly number[];
  /** Positions in `kinds`. */
  readonly kind: readonly number[];
  /** Positions of their digests. */
  readonly digest: readonly number[];
}

/** How cases are run and graded; all digests are positions. */
export interface CaseKind {
  readonly suite: number;
  readonly targets: readonly string[];
  readonly repeat: number;
  /** One per expectation. */
  readonly graders: readonly number[];
  /** The same for targets that have a judge of their own. */
  readonly gradersUnder?: Readonly<Record<string, readonly number[]>>;
  /** Judges that its model graders name; null means the configured judge. Absent when it has no model grader. */
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
  /** Without values of environment variables. */
  readonly written: JsonObject;
  /** Position of its digest. */
  readonly digest: number;
}

export interface SpecJudges {
  /** The judge as configured. */
  readonly ofConfig?: JsonValue;
  /** Targets that are used as judges. */
  readonly targets: readonly string[];
}

export interface SpecUser {
  /** The simulated user as configured; absent when none is, so that every line is scripted. */
  readonly written?: JsonValue;
  /** Whether it must write at least one message itself. */
  readonly isAsked: boolean;
}
