import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { AgentVersionId } from './agent-store.ts';
import type { JudgeChoice } from './judge.ts';
import type { Limits } from './limits.ts';
import type { ModelChoice } from './model.ts';
import type { RunOptions } from './run-options.ts';
import type { TargetVariant } from './target-variant.ts';
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
  /** Metrics of the config and of the store, as written; only of a run of the store. */
  readonly metrics?: readonly JsonValue[];
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
  /** Digests of their graders: all cases one after the other, each with as many as its kind has. */
  readonly graders: readonly number[];
}

/** How cases are run and graded. */
export interface CaseKind extends Omit<CaseDigests, 'case' | 'graders'> {
  readonly suite: number;
  readonly targets: readonly string[];
  readonly repeat: number;
  /** Number of expectations. */
  readonly graderCount: number;
  readonly dependsOn?: readonly string[];
  readonly skip?: Skip;
}

/** The digests of a case, as positions in the list of digests of its run. */
export interface CaseDigests {
  readonly case: number;
  /** One per expectation. */
  readonly graders: readonly number[];
  /** The same for targets that have a judge of their own. */
  readonly gradersUnder?: Readonly<Record<string, readonly number[]>>;
  /** Judges that its model graders name; null means the configured judge. Absent when it has no model grader. */
  readonly judges?: readonly (JudgeChoice | null)[];
  /** Models that its graders ask besides judges. Absent if they ask no such model. */
  readonly models?: readonly ModelChoice[];
  /** All other settings that decide the outcome: threshold, weights, gates, expected failure, skip, dependencies. */
  readonly terms?: number;
  /** Mocks and faults, if the digest of the case does not cover them. */
  readonly mocks?: number;
  /** The prompt of the simulated user, if that is stored. */
  readonly userPrompt?: number;
}

export interface SpecTarget {
  readonly name: string;
  readonly type: string;
  /** Without values of environment variables. */
  readonly written: JsonObject;
  /** Position of its digest. */
  readonly digest: number;
  readonly variant?: TargetVariant;
  /** The agent of the store that it is; absent: a target of the config. */
  readonly agent?: AgentVersionId;
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
