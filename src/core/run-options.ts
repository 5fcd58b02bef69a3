/** The options of a run as plain JSON. Kept with the run, so that it can be planned again. */
export interface RunOptions {
  /** Files, folders or globs; empty: everything below the working directory. */
  readonly patterns: readonly string[];
  readonly targets: readonly string[];
  readonly cases: readonly string[];
  readonly tags?: readonly string[];
  readonly excludeTags?: readonly string[];
  readonly limit?: number;
  readonly sample?: number;
  readonly shard?: { readonly index: number; readonly of: number };
  /** Selects only trials that failed or errored in that run. */
  readonly failed?: string;
  /** Stored runs that targets replay: as written, and the ids they referred to when the run began. */
  readonly replays?: Readonly<Record<string, string>>;
  readonly repeat?: number;
  readonly concurrency?: number;
  readonly threshold?: number;
  /** The patterns name files of stored test cases. */
  readonly stored?: boolean;
  /** Selects stored test cases. */
  readonly select?: CaseSelector;
  /** Who speaks first; default: the user. */
  readonly firstSpeaker?: 'user' | 'agent';
  /** What happens to a trial that reaches a limit; default: error. */
  readonly onLimit?: 'error' | 'grade';
  readonly timeoutMs?: number;
  readonly maxSteps?: number;
  readonly maxErrored?: number;
  /** Budget of the whole run in USD. */
  readonly maxCostUsd?: number;
  /** With a budget, also runs targets and models whose cost is unknown. */
  readonly allowUnknownCost?: boolean;
  readonly seed?: number;
  readonly failFast?: boolean;
  /** Conditions on the whole run, as typed. */
  readonly gates?: readonly string[];
  /** The run to compare with. */
  readonly baseline?: string;
  /** Records new token baselines for what is run. */
  readonly updateSnapshots?: boolean;
  /** Single failures also fail the run, in addition to gates and baseline. */
  readonly strict?: boolean;
  /** The target that judges; overrides every other judge. */
  readonly judge?: string;
  readonly config?: string;
  /** Recorded model calls. */
  readonly cassette?: Cassette;
}

/** The folder of recorded calls, and when models are called live. */
export interface Cassette {
  /** Relative to the working directory of the command. */
  readonly directory: string;
  readonly mode: 'record' | 'replay' | 'auto';
}

/** Selects some of many stored cases. All given conditions must hold. Without `status`, only active cases are taken. */
export interface CaseSelector {
  /** Statuses, or any; default: active cases. */
  readonly status?: readonly ('draft' | 'active' | 'archived' | 'any')[];
  readonly difficulty?: readonly ('normal' | 'hard')[];
  /** Cases with at least one of these. */
  readonly tagAny?: readonly string[];
  /** Cases with all of these. */
  readonly tagAll?: readonly string[];
  /** A part of the name or the description; ASCII letters match in either case. */
  readonly search?: string;
  /** Ids or names. */
  readonly ids?: readonly string[];
}
