import type { FileChange } from './file-change.ts';
import type { TestCase } from './test-case.ts';
import type { World } from './target.ts';
import type { Verdict } from './verdict.ts';

/** The directory of one attempt. */
export interface Workspace {
  readonly directory: string;
  /** A directory of the user's own, which existed before and stays. */
  readonly isForeign?: true;
  /** Whether `capture` refuses files larger than `diskMb` of the target. */
  readonly limitsDisk?: boolean;
  /** After `capture`: the directory that graders read, a copy if one was made; default: `directory`. */
  gradedDirectory?(): string;
  /** Ends the programs that the agent or graders left running in it. */
  endProcesses(): Promise<void>;
  /** Called after the agent has ended: captures the changes, makes the copy for graders, restores protected files in it. */
  capture(signal: AbortSignal): Promise<void>;
  /** Called after grading: protected files that changed, even for a moment, after `capture`. */
  tampered?(): Promise<readonly string[]>;
  /** The changes that `capture` found. */
  changes(): Promise<readonly FileChange[]>;
  /**
   * Runs teardown, then keeps or removes the directory. Never rejects: failures are warnings. `keptAt` is the name in
   * rows.
   */
  release(verdict: Verdict): Promise<{ readonly keptAt?: string; readonly warnings: readonly string[] }>;
}

/** Creates the directory of an attempt: template, setup, baseline. */
export interface Workspaces {
  /** Undefined when this case and target need no workspace. */
  prepare(
    testCase: TestCase,
    attempt: Pick<World, 'trial' | 'marker' | 'artifacts'>,
    signal: AbortSignal,
  ): Promise<Workspace | undefined>;
}
