import type { StagedFolder } from '../core/plugin.ts';
import type { World } from '../core/target.ts';
import type { TestCase, WorkspacePlan } from '../core/test-case.ts';
import type { Baselines } from './baselines.ts';
import type { CleanedDirectory } from './put-away.ts';

export interface WorkspacesOptions {
  /** Folder for the directories; default: the temporary directory of the system. */
  readonly root?: string;
  /** Absolute; the final place of an attempt's directory when it is kept. */
  keptDirectory(trial: World['trial'], attempt: number): string;
  readonly evalRunId: string;
  /** The whole allow-listed environment of scripts. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether a target gets an empty directory when the case plans no workspace. */
  needsDirectory(target: string): boolean;
  /** Whether a grader of the case reads files of its workspace, and so gets a copy; default: yes. */
  isRead?(testCase: TestCase): boolean;
  /** The most bytes that the files of a workspace may have; default: a limit for copies only. */
  mostBytesFor?(target: string): number | undefined;
  /** Folders that a target adds to every workspace; default: none. */
  stagedFor?(target: string): readonly StagedFolder[];
  /** The operator's whole environment, for bootstraps; default: that of scripts. */
  readonly operatorEnvironment?: Readonly<Record<string, string>>;
  /** Trials may work in a shared directory at the same time. */
  readonly sideBySide?: boolean;
  /** Absolute; where shared directories are moved when they are kept. */
  readonly sharedDirectory?: string;
  /** The directory of the run, for scripts. */
  readonly outputDirectory?: string;
  /** Removes secrets from the output of scripts. */
  redact?(text: string): string;
  /** Removes secrets from a directory before it is kept. */
  cleanKept?(directory: string): Promise<CleanedDirectory>;
  /** Receives warnings that appear only when shared directories are removed. */
  warn?(text: string): void;
}

/** What the workspaces of a run share: the options with their defaults, and more. */
export interface WorkspaceServices
  extends Required<Omit<WorkspacesOptions, NotShared | Unset>>, Pick<WorkspacesOptions, Unset> {
  /** Where our own programs are searched. */
  readonly path: string;
  /** Registers a directory of ours, which is removed or kept at the end. */
  own(directory: string): void;
  owns(directory: string): boolean;
  freshDirectory(): Promise<string>;
  readonly baselines: Baselines;
}

type NotShared = 'root' | 'needsDirectory';

/** Without a default. */
type Unset = 'outputDirectory' | 'sideBySide';

export interface WorkspaceJob {
  readonly plan: WorkspacePlan;
  readonly testCase: TestCase;
  readonly attempt: Pick<World, 'trial' | 'marker' | 'artifacts'>;
  readonly services: WorkspaceServices;
}

/** What a bootstrap did, for `workspace.json`. */
export interface BootstrapRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly exitCode: number | null;
  readonly durationMs: number;
}

/** A job whose directory exists. */
export interface PlacedJob extends WorkspaceJob {
  readonly directory: string;
  readonly bootstrap?: BootstrapRun;
  /** The copy that graders read; it is kept in place of the directory. */
  readonly graded?: string | undefined;
}
