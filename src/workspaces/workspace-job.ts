import type { StagedFolder } from '../core/plugin.ts';
import type { World } from '../core/target.ts';
import type { TestCase, WorkspacePlan } from '../core/test-case.ts';
import type { BootstrapRun } from './bootstrap.ts';
import type { Baselines } from './baselines.ts';
import type { Keeping } from './put-away.ts';

/** What the workspaces of a run share. */
export interface WorkspaceServices {
  /** Absolute. */
  keptDirectory(trial: World['trial'], attempt: number): string;
  readonly evalRunId: string;
  /** The allow-listed environment of scripts. */
  readonly environment: Readonly<Record<string, string>>;
  /** The directory of the run, for scripts. */
  readonly outputDirectory?: string;
  /** The operator's whole environment, for bootstraps. */
  readonly operatorEnvironment: Readonly<Record<string, string>>;
  /** Where our own programs are searched. */
  readonly path: string;
  /** Trials may work in a shared directory at the same time. */
  readonly sideBySide?: boolean | undefined;
  /** Absolute; where our shared directories are moved when they are kept. */
  readonly sharedDirectory: string;
  /** Registers a directory of ours, which is removed or kept at the end. */
  own(directory: string): void;
  owns(directory: string): boolean;
  redact(text: string): string;
  /** Removes secrets from a directory of ours before it is kept. */
  readonly cleanKept: Keeping['clean'];
  /** Receives warnings when no trial is left to report them. */
  warn(text: string): void;
  stagedFor(target: string): readonly StagedFolder[];
  /** Whether a grader of the case reads files of its workspace. */
  isRead(testCase: TestCase): boolean;
  /** The most bytes that the files of a workspace may have, if the target has a limit. */
  mostBytesFor(target: string): number | undefined;
  freshDirectory(): Promise<string>;
  readonly baselines: Baselines;
}

export interface WorkspaceJob {
  readonly plan: WorkspacePlan;
  readonly testCase: TestCase;
  readonly attempt: Pick<World, 'trial' | 'marker' | 'artifacts'>;
  readonly services: WorkspaceServices;
}

/** A job whose directory exists. */
export interface PlacedJob extends WorkspaceJob {
  readonly directory: string;
  readonly bootstrap?: BootstrapRun;
  /** The copy that graders read; it is kept in place of the directory. */
  readonly graded?: string | undefined;
}
