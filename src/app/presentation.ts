import type { Screen } from '../core/log.ts';
import type { Totals } from '../reading/totals.ts';
import type { RunState } from '../core/run.ts';
import type { GateOutcome, Manifest } from '../core/manifest.ts';
import type { RunComparison } from './compare-runs.ts';
import type { Interruption } from './running/execute-run.ts';
import type { Surroundings } from './surroundings.ts';

/** How a run is shown, where it is kept and how it is stopped. */
export interface Presentation {
  /** Where runs are kept, as typed; absent: the config's. */
  readonly out?: string;
  /** `NAME` or `NAME=FILE`, as typed. */
  readonly reporters: readonly string[];
  readonly screen: Screen;
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  readonly ci: boolean;
  readonly interrupt: Interruption;
  readonly surroundings: Surroundings;
  /** Asks a person; absent where there is no terminal. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

/** What a command that conducted a run gives back. */
export interface RunOutcome {
  readonly exitCode: number;
  /** Reports that could not be written, and why. */
  readonly unwritten: readonly { readonly sink: string; readonly message: string }[];
  /** What `--json` prints. */
  readonly summary: {
    readonly id: string;
    readonly directory: string;
    readonly state: RunState;
    readonly exitCode: number;
    readonly totals: Totals;
    /** Where any was asked for. */
    readonly gates?: readonly GateOutcome[];
    readonly baseline?: RunComparison;
    /** Of a merged run that lacks shards. */
    readonly partial?: Manifest['partial'];
  };
}
