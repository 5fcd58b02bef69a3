import { tmpdir } from 'node:os';

import type { StagedFolder } from '../core/plugin.ts';
import type { World } from '../core/target.ts';
import type { WorkspacePlan } from '../core/test-case.ts';
import type { Workspaces } from '../core/workspace.ts';
import { baselines } from './baselines.ts';
import { prepareWorkspace } from './prepare-workspace.ts';
import { privateGrounds } from './private-grounds.ts';
import type { CleanedDirectory } from './put-away.ts';
import { sharedWorkspaces } from './shared.ts';
import type { WorkspaceServices } from './workspace-job.ts';

export interface IsolatedWorkspacesOptions {
  /** Folder the directories are made in; default: the system's temporary one. */
  readonly root?: string;
  /** Absolute; where the directory of an attempt goes when it is kept. */
  keptDirectory(trial: World['trial'], attempt: number): string;
  readonly evalRunId: string;
  /** The whole allow-listed environment of scripts. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether a target gets an empty directory even when the case plans no workspace. */
  needsDirectory(target: string): boolean;
  /** Folders that a target brings into every workspace; default: none. */
  stagedFor?(target: string): readonly StagedFolder[];
  /** The operator's whole environment, for bootstraps; default: that of scripts. */
  readonly operatorEnvironment?: Readonly<Record<string, string>>;
  /** Trials may work in a shared directory at the same time. */
  readonly sideBySide?: boolean;
  /** Absolute; where shared directories go when they are kept. */
  readonly sharedDirectory?: string;
  /** The directory of the run, for scripts. */
  readonly outputDirectory?: string;
  /** Takes secrets out of what scripts print. */
  redact?(text: string): string;
  /** Takes secrets out of a directory that is about to be kept. */
  cleanKept?(directory: string): Promise<CleanedDirectory>;
  /** Gets what is known only when shared directories are put away. */
  warn?(text: string): void;
}

/** A directory of its own for every attempt, outside any repository. Disposed of at the end of the run. */
export function isolatedWorkspaces(options: IsolatedWorkspacesOptions): Workspaces & AsyncDisposable {
  const { environment } = options;
  const { freshDirectory } = privateGrounds({ root: options.root, environment });
  const trees = baselines({ freshDirectory, path: environment['PATH'] ?? DEFAULT_PATH });
  const owned = new Set<string>();
  const services: WorkspaceServices = {
    ...options,
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

/** Where the system looks when nobody says. */
const DEFAULT_PATH = '/usr/bin:/bin';

function planOf(options: IsolatedWorkspacesOptions, target: string): WorkspacePlan | undefined {
  return options.needsDirectory(target) ? {} : undefined;
}
