import { tmpdir } from 'node:os';

import type { StagedFolder } from '../core/plugin.ts';
import type { World } from '../core/target.ts';
import type { TestCase, WorkspacePlan } from '../core/test-case.ts';
import type { Workspaces } from '../core/workspace.ts';
import { baselines } from './baselines.ts';
import { prepareWorkspace } from './prepare-workspace.ts';
import { privateGrounds } from './private-grounds.ts';
import type { CleanedDirectory } from './put-away.ts';
import { sharedWorkspaces } from './shared.ts';
import type { WorkspaceServices } from './workspace-job.ts';

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

/** A separate directory for every attempt, outside any repository. Dispose of it at the end of the run. */
export function workspacesOfRun(options: WorkspacesOptions): Workspaces & AsyncDisposable {
  const { environment } = options;
  const { freshDirectory } = privateGrounds({ root: options.root, environment });
  const trees = baselines({ freshDirectory, path: environment['PATH'] ?? DEFAULT_PATH });
  const owned = new Set<string>();
  const services: WorkspaceServices = {
    ...options,
    isRead: (testCase) => options.isRead?.(testCase) ?? true,
    mostBytesFor: (target) => options.mostBytesFor?.(target),
    stagedFor: (target) => options.stagedFor?.(target) ?? [],
    redact: (text) => options.redact?.(text) ?? text,
    warn: (text) => options.warn?.(text),
    cleanKept: async (directory) => (await options.cleanKept?.(directory)) ?? UNTOUCHED,
    keptDirectory: (trial, attempt) => options.keptDirectory(trial, attempt),
    freshDirectory,
    baselines: trees,
    operatorEnvironment: options.operatorEnvironment ?? environment,
    path: environment['PATH'] ?? DEFAULT_PATH,
    sharedDirectory: options.sharedDirectory ?? tmpdir(),
    own: (directory) => void owned.add(directory),
    owns: (directory) => owned.has(directory),
  };
  const shared = sharedWorkspaces(services);
  return {
    prepare: (testCase, attempt, signal) => {
      const plan = testCase.workspace ?? planOf(options, attempt.trial.target);
      if (plan === undefined) return NONE;
      const job = { plan, testCase, attempt, services };
      return plan.shared === undefined ? prepareWorkspace(job, signal) : shared.prepare(job, signal);
    },
    async [Symbol.asyncDispose]() {
      await shared[Symbol.asyncDispose]();
      await trees[Symbol.asyncDispose]();
    },
  };
}

const UNTOUCHED: CleanedDirectory = { warnings: [], redacted: [] };

const NONE = Promise.resolve(undefined);

/** The default search path of the system. */
const DEFAULT_PATH = '/usr/bin:/bin';

function planOf(options: WorkspacesOptions, target: string): WorkspacePlan | undefined {
  return options.needsDirectory(target) ? {} : undefined;
}
