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
  /** Where programs of ours are looked up. */
  readonly path: string;
  /** Trials may work in a shared directory at the same time. */
  readonly sideBySide?: boolean | undefined;
  /** Absolute; where shared directories of ours go when they are kept. */
  readonly sharedDirectory: string;
  /** Remembers a directory as one of ours, which is put away at the end. */
  own(directory: string): void;
  owns(directory: string): boolean;
  redact(text: string): string;
  /** Takes secrets out of a directory of ours that is about to be kept. */
  readonly cleanKept: Keeping['clean'];
  /** Gets what is known only when no trial is there any more that could tell it. */
  warn(text: string): void;
  /** Folders that a target brings. */
  stagedFor(target: string): readonly StagedFolder[];
  freshDirectory(): Promise<string>;
  readonly baselines: Baselines;
}

/** One workspace to make. */
export interface WorkspaceJob {
  readonly plan: WorkspacePlan;
  readonly testCase: TestCase;
  readonly attempt: Pick<World, 'trial' | 'marker' | 'artifacts'>;
  readonly services: WorkspaceServices;
}

/** A job that has got its directory. */
export interface PlacedJob extends WorkspaceJob {
  readonly directory: string;
  readonly bootstrap?: BootstrapRun;
}
