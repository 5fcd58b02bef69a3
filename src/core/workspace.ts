import type { FileChange } from './file-change.ts';
import type { TestCase } from './test-case.ts';
import type { World } from './target.ts';
import type { Verdict } from './verdict.ts';

/** The directory of one attempt. */
export interface Workspace {
  readonly directory: string;
  /** A directory of the user's own, which was there before and stays. */
  readonly isForeign?: true;
  /** After the agent has ended: ends what it left running here, captures the changes, puts protected files back. */
  seal(signal: AbortSignal): Promise<void>;
  /** After grading: the protected files that are not, or were not all the time since `seal`, what `seal` made them. */
  tampered?(): Promise<readonly string[]>;
  /** The changes captured by `seal`. */
  changes(): Promise<readonly FileChange[]>;
  /** Teardown, then keep or remove. Never rejects: what went wrong is a warning. `keptAt` as a row names it. */
  release(verdict: Verdict): Promise<{ readonly keptAt?: string; readonly warnings: readonly string[] }>;
}

/** Makes the directory of an attempt: template, setup, baseline. */
export interface Workspaces {
  /** Undefined when this case and target need none. */
  prepare(
    testCase: TestCase,
    attempt: Pick<World, 'trial' | 'marker' | 'artifacts'>,
    signal: AbortSignal,
  ): Promise<Workspace | undefined>;
}
