import type { JsonObject } from '../lib/json.ts';
import type { Limits } from './limits.ts';
import type { IsolationLevel } from './isolation-level.ts';
import type { Selection } from './selection.ts';
import type { DifficultyWeights } from './test-case.ts';

/** The options of a run as plain JSON. Kept with the run, so that it can be planned again. */
export interface RunOptions extends Omit<Selection, 'tags' | 'excludeTags'> {
  /** Files, folders or globs; empty: everything below the working directory. */
  readonly patterns: readonly string[];
  readonly tags?: readonly string[];
  readonly excludeTags?: readonly string[];
  /** Selects only trials that failed or errored in that run. */
  readonly failed?: string;
  /** Stored runs that targets replay: as written, and the ids they referred to when the run began. */
  readonly replays?: Readonly<Record<string, string>>;
  readonly repeat?: number;
  readonly concurrency?: number;
  readonly threshold?: number;
  /** Runs stored test cases: those of the files that the patterns name, without patterns those of the store. */
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
  /** Whether answers of earlier runs are used again; overrides the config. */
  readonly cache?: boolean;
  /** The level of the sandbox of every target; overrides the config. */
  readonly sandbox?: IsolationLevel;
  /** The weakest level with which the run may start. */
  readonly requireIsolation?: IsolationLevel;
  readonly config?: string;
  /** What a request to a server has laid over the config. */
  readonly request?: RequestedSettings;
  /** Recorded model calls. */
  readonly cassette?: Cassette;
}

/** Settings of a request, which override those of the config. */
export interface RequestedSettings {
  /** `judge`, `user`, `expectations` and `faults`, in the spelling of the config. */
  readonly laid?: JsonObject;
  readonly limits?: Partial<Limits>;
  readonly difficultyWeights?: Partial<DifficultyWeights>;
}

/** Whether the cases of a run are those of the store, so that the run is kept there too. */
export function takesStore({ stored, patterns }: Pick<RunOptions, 'stored' | 'patterns'>): boolean {
  return stored === true && patterns.length === 0;
}

/** The folder of recorded calls, and when models are called live. */
export interface Cassette {
  /** Relative to the working directory of the command. */
  readonly directory: string;
  readonly mode: 'record' | 'replay' | 'auto';
}

/**
 * Selects some of many stored cases. All given conditions must hold. Without `status`, only active cases are taken. A case
 * that is named by `ids` or `set` is taken whatever its status.
 */
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
  /** Id or name of a set: its members, in its order. */
  readonly set?: string;
}
