import type { RunStore } from '../core/run-store.ts';

/** Where and how a command runs; everything a process has that a function should not reach for. */
export interface Surroundings {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly now: () => number;
  /** Arguments after the program's name. */
  readonly commandLine: readonly string[];
  /** Where runs are kept, in place of run directories. */
  readonly runs?: RunStore;
}
