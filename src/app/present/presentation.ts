import type { AssayError } from '../../core/errors.ts';
import type { Screen } from '../../core/log.ts';
import type { StoredRun } from '../../core/run-store.ts';
import type { Totals } from '../../reading/totals.ts';
import type { RunState } from '../../core/run.ts';
import type { GateOutcome, Manifest } from '../../core/manifest.ts';
import type { RunComparison } from '../compare/compare-stored.ts';
import type { Interruption } from '../running/execute-run.ts';
import type { Surroundings } from '../surroundings.ts';

/** How to show a run, where to keep it and how to stop it. */
export interface Presentation {
  /** Folder of stored runs as typed. Absent: as configured. */
  readonly out?: string;
  /** `NAME` or `NAME=FILE`, as typed. */
  readonly reporters: readonly string[];
  readonly screen: Screen;
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  readonly ci: boolean;
  readonly interrupt: Interruption;
  readonly surroundings: Surroundings;
  /** Whether reporters of the config are left out. */
  readonly isSilent?: true;
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
