import type { RunComparison } from '../../core/run-comparison.ts';
import type { AssayError } from '../../core/errors.ts';
import type { StoredRun } from '../../core/run-store.ts';
import type { Totals } from '../../reading/totals.ts';
import type { RunState } from '../../core/run.ts';
import type { GateOutcome, Manifest } from '../../core/manifest.ts';
import type { Presentation } from '../present/presentation.ts';
import type { Interruption } from '../running/run-execution.ts';
import type { Surroundings } from '../surroundings.ts';

/** Where a run is executed and kept, who can stop it, and how it is shown. */
export interface RunSite {
  /** Folder of stored runs as typed. Absent: as configured. */
  readonly out?: string;
  readonly surroundings: Surroundings;
  readonly interrupt: Interruption;
  readonly presentation: Presentation;
  /** Called when all is checked and kept, and the trials begin. */
  readonly begun?: (run: StoredRun) => void;
  /** Asks a person for confirmation. Absent without a terminal. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

/** The result of a command that executed a run. */
export interface RunOutcome {
  readonly exitCode: number;
  /** Why the results could not be written. */
  readonly failure?: AssayError;
  /** Reports that could not be written, with the reason. */
  readonly unwritten: readonly { readonly sink: string; readonly message: string }[];
  /** The output of `--json`. */
  readonly summary: {
    readonly id: string;
    readonly directory: string;
    readonly state: RunState;
    readonly exitCode: number;
    readonly totals: Totals;
    /** Only with `--gate`. */
    readonly gates?: readonly GateOutcome[];
    readonly baseline?: RunComparison;
    /** Only of a merged run with missing shards. */
    readonly partial?: Manifest['partial'];
  };
}
