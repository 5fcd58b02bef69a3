import type { RunStore } from '../core/run-store.ts';

/** The environment of a command. Functions get it as a parameter instead of reading the process. */
export interface Surroundings {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly now: () => number;
  /** Arguments after the program name. */
  readonly commandLine: readonly string[];
  /** A store that replaces run directories. */
  readonly runs?: RunStore;
}
