import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { RunOptions } from './run-options.ts';
import type { SpecSettings, SpecTarget } from './run-spec.ts';
import type { RunState } from './run.ts';
import type { IsolationLevel } from './isolation-level.ts';
import type { DifficultyWeights } from './test-case.ts';

/** The result of a condition on a whole run. */
export interface GateOutcome {
  /** As written. */
  readonly gate: string;
  /** Null when it could not be measured, so that the results are inconclusive. */
  readonly holds: boolean | null;
  readonly value: number | null;
  /** What the value is based on, or why it is missing. */
  readonly says: string;
}

/** The settings of a plan in its manifest. Any may be absent: earlier versions kept fewer. */
export interface KeptSettings extends Partial<Omit<SpecSettings, 'seed' | 'schedule' | 'failFast'>> {
  readonly options?: Partial<RunOptions>;
  /** Repetitions of cases that have none of their own. */
  readonly repeat?: number;
  /** Only of stored cases, as the next two. */
  readonly difficultyWeights?: DifficultyWeights;
  /** The user as configured, without secrets. */
  readonly user?: JsonValue;
  readonly judge?: JsonValue;
}

/** `run.json`: what was run, with which program, on which machine. */
export interface Manifest {
  readonly formatVersion: number;
  readonly kind: 'run' | 'grade';
  readonly sourceRunId?: string;
  /** Ids of the runs that `assay merge` copied these trials from. */
  readonly mergedFrom?: readonly string[];
  /** Of an incomplete merged run: the missing shards (`3/4`), and whether `--partial` allowed that. */
  readonly partial?: { readonly missingShards: readonly string[]; readonly isAllowed: boolean };
  /** Ids of the runs whose failures selected these cases (`--failed`), and of the runs before those. */
  readonly chosenFrom?: readonly string[];
  readonly id: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly state: RunState;
  /** Arguments after the program's name. */
  readonly command: readonly string[];
  /** Absolute. */
  readonly projectRoot: string;
  /** Working directory of the command, absolute. */
  readonly cwd: string;
  readonly config?: { readonly file: string; readonly digest: string };
  /** Selection and settings of the plan, as readers show and compare them. */
  readonly settings: KeptSettings;
  readonly suites: readonly {
    readonly id: string;
    readonly name: string;
    readonly file: string;
    readonly cases: number;
    /** Name of its case, where the run has only one case and that case has a name. */
    readonly onlyCase?: string;
    /** Digest of the case ids and digests, in order. */
    readonly digest: string;
    /** The same digest without targets and repetitions; absent in runs of earlier versions. */
    readonly casesDigest?: string;
    /** Formulas over means of metrics, by name. */
    readonly derivedMetrics?: Readonly<Record<string, string>>;
    /** The same digest over all shards; absent when the run is not a shard. */
    readonly whole?: string;
  }[];
  readonly targets: readonly (Omit<SpecTarget, 'written'> & {
    /** Without secret values. */
    readonly config: JsonObject;
    readonly versions?: Readonly<Record<string, string>>;
  })[];
  readonly trials: number;
  readonly seed: number;
  /** sha-256 digests; rows and grades refer to them by position. */
  readonly digests: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  readonly git?: { readonly commit: string; readonly dirty: boolean };
  readonly hermetic: boolean;
  /** The weakest level of the programs of its targets. */
  readonly isolation: IsolationLevel;
  /** How processes and temporary folders of the last process are found; trusted only when it is sealed. */
  readonly leftovers?: {
    readonly token: string;
    readonly folders: readonly string[];
    readonly seal?: string;
  };
  readonly exitCode?: number;
  /** Why it was stopped. */
  readonly reason?: 'budget';
  /** Why the results are inconclusive (exit code 3), in words. */
  readonly noEvidence?: string;
  /** The results of the conditions on the whole run; absent without conditions, or before the run has ended. */
  readonly gates?: readonly GateOutcome[];
  /** Whether the run is worse than the run it was compared with. */
  readonly baseline?: { readonly base: string; readonly verdict: string; readonly sentence: string };
  /** With a budget: USD that all processes of the run have spent, up to an event. Absent: up to its end. */
  readonly spent?: { readonly usd: number; readonly upTo?: number };
}

/** A manifest without the values that only the end of a run knows. */
export function begun(manifest: Manifest): Manifest {
  const {
    endedAt: _endedAt,
    exitCode: _exitCode,
    reason: _reason,
    noEvidence: _why,
    gates: _gates,
    baseline: _baseline,
    ...rest
  } = manifest;
  return rest;
}
