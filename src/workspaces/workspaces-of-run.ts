import { tmpdir } from 'node:os';

import type { WorkspacePlan } from '../core/test-case.ts';
import type { Workspaces } from '../core/workspace.ts';
import { baselines } from './baselines.ts';
import { prepareWorkspace } from './prepare-workspace.ts';
import { privateGrounds } from './private-grounds.ts';
import type { CleanedDirectory } from './put-away.ts';
import { sharedWorkspaces } from './shared.ts';
import type { WorkspaceServices, WorkspacesOptions } from './workspace-job.ts';

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
