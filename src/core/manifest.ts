import type { JsonObject } from '../lib/json.ts';
import type { RunState } from './run.ts';

/** What a condition on a whole run came to. */
export interface GateOutcome {
  /** As written. */
  readonly gate: string;
  /** Null: it could not be measured, so the evidence is invalid. */
  readonly holds: boolean | null;
  readonly value: number | null;
  /** What the value rests on, or why there is none. */
  readonly says: string;
}

/** run.json: what was run, by what, on what. */
export interface Manifest {
  readonly formatVersion: number;
  readonly kind: 'run' | 'grade';
  readonly sourceRunId?: string;
  /** Ids of the runs whose trials these are: `assay merge` copied them. */
  readonly mergedFrom?: readonly string[];
  /** Of a merged run that is not whole: the shards (`3/4`) it lacks, and whether that was asked for (`--partial`). */
  readonly partial?: { readonly missingShards: readonly string[]; readonly isAllowed: boolean };
  /** Ids of the runs by whose outcomes its cases were chosen (`--failed`), and of those that these were chosen from. */
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
  /** What selection and settings the plan was made with, enough to make it again. */
  readonly settings: JsonObject;
  readonly suites: readonly {
    readonly id: string;
    readonly name: string;
    readonly file: string;
    readonly cases: number;
    /** Of the ordered case ids and digests. */
    readonly digest: string;
    /** The same of what all shards take together; absent where the run is no shard. */
    readonly whole?: string;
  }[];
  readonly targets: readonly {
    readonly name: string;
    readonly type: string;
    /** Without secrets. */
    readonly config: JsonObject;
    readonly digest: number;
    readonly versions?: Readonly<Record<string, string>>;
  }[];
  readonly trials: number;
  readonly seed: number;
  /** sha-256 each; rows and grades name them by position. */
  readonly digests: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  readonly git?: { readonly commit: string; readonly dirty: boolean };
  readonly hermetic: boolean;
  readonly isolation: 'process' | 'user' | 'container';
  /** By what processes and temporary folders of the process that ran it last are found; believed when it is sealed. */
  readonly leftovers?: {
    readonly token: string;
    readonly folders: readonly string[];
    readonly seal?: string;
  };
  readonly exitCode?: number;
  /** Why it was stopped. */
  readonly reason?: 'budget';
  /** Why the run is no evidence, in words, where its exit code is 3. */
  readonly noEvidence?: string;
  /** What the conditions on the whole run came to; absent: there are none, or it has not ended. */
  readonly gates?: readonly GateOutcome[];
  /** Whether it is worse than the run it was held against. */
  readonly baseline?: { readonly base: string; readonly verdict: string; readonly sentence: string };
  /** Of a run whose money is bounded: USD spent by all of its processes, up to an event; absent: up to its end. */
  readonly spent?: { readonly usd: number; readonly upTo?: number };
}

/** A manifest without what only the end of a run tells. */
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
