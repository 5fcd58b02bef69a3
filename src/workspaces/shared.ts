import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { MeasurementError } from '../core/errors.ts';
import { trialVariables } from '../core/trial-variables.ts';
import type { WorkspacePlan } from '../core/test-case.ts';
import type { Workspace } from '../core/workspace.ts';
import { runBootstrap, type BootstrapRun } from './bootstrap.ts';
import { bytePath } from './byte-path.ts';
import { copyTree } from './copy-tree.ts';
import { copyInto } from './copy-into.ts';
import { keepDirectory, removeDirectory } from './put-away.ts';
import { beginRepository } from './repository.ts';
import { stageFolder } from './staged-folders.ts';
import { turnstile } from './turnstile.ts';
import type { WorkspaceJob, WorkspaceServices } from './workspace-job.ts';

/** Directories that several trials work in; disposed of at the end of the run. */
export interface SharedWorkspaces extends AsyncDisposable {
  prepare(job: WorkspaceJob, signal: AbortSignal): Promise<Workspace>;
}

/** What one directory has come to. */
interface Ground {
  readonly directory: string;
  readonly bootstrap?: BootstrapRun;
}

type Staged = Map<string, { readonly source: string; readonly done: Promise<void> }>;

interface Entry {
  readonly ready: Promise<Ground>;
  readonly enter: ReturnType<typeof turnstile>;
  /** Folders that targets brought, by where they stand. */
  readonly staged: Staged;
  hasFailures: boolean;
}

export function sharedWorkspaces(services: WorkspaceServices): SharedWorkspaces {
  const entries = new Map<string, Entry>();
  return {
    async prepare(job, signal) {
      const key = keyOf(job.plan);
      // Prepared once; whoever comes first gives its name to what that prints.
      const entry = entries.get(key) ?? newEntry(job, signal);
      entries.set(key, entry);
      const ground = await entry.ready;
      if (services.owns(ground.directory)) await stageOnce(job, ground.directory, entry.staged);
      const leave = services.sideBySide === true ? () => {} : await entry.enter(signal);
      try {
        return await workspaceIn(ground, { job, entry, leave });
      } catch (error) {
        leave();
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      for (const { ready, hasFailures } of entries.values()) {
        const ground = await ready.catch(() => undefined);
        if (ground === undefined || !services.owns(ground.directory)) continue;
        if (hasFailures) await keepDirectory(ground.directory, keptPlace(services, ground.directory));
        else await removeDirectory(ground.directory);
      }
    },
  };
}

function newEntry(job: WorkspaceJob, signal: AbortSignal): Entry {
  const staged: Staged = new Map();
  return { ready: groundOf(job, staged, signal), enter: turnstile(), staged, hasFailures: false };
}

/** What two targets bring alike is there once; what they bring under one name and is not the same is an error. */
async function stageOnce(job: WorkspaceJob, directory: string, staged: Staged): Promise<void> {
  for (const folder of job.services.stagedFor(job.attempt.trial.target)) {
    const before = staged.get(folder.to);
    const isSame = before?.source === folder.source;
    const done = isSame ? before.done : stageFolder(folder, directory);
    if (before === undefined) staged.set(folder.to, { source: folder.source, done });
    await done;
  }
}

function keyOf({ shared, template, bootstrap }: WorkspacePlan): string {
  return JSON.stringify([shared, template, bootstrap]);
}

async function groundOf(job: WorkspaceJob, staged: Staged, signal: AbortSignal): Promise<Ground> {
  const { plan, services, attempt } = job;
  const { shared, template, bootstrap } = plan;
  const isPrepared = template !== undefined || bootstrap !== undefined;
  if (shared === undefined) throw new Error('the plan is of no shared workspace');
  const isOwn = 'key' in shared;
  const directory = isOwn ? await services.freshDirectory() : shared.directory;
  if (isOwn) services.own(directory);
  else await existing(directory, isPrepared);
  if (template !== undefined) {
    if (isOwn) await copyTree(bytePath(template), bytePath(directory));
    else await copyInto(template, directory);
  }
  const variables = {
    ASSAY_RUN_ID: attempt.trial.runId,
    ASSAY_WORKSPACE: directory,
    ASSAY_ARTIFACT_DIR: attempt.artifacts.directory(),
    ...(services.outputDirectory === undefined ? {} : { ASSAY_OUTPUT_DIR: services.outputDirectory }),
  };
  const ran =
    bootstrap &&
    (await runBootstrap(
      bootstrap,
      {
        directory,
        environment: services.operatorEnvironment,
        variables,
        marker: attempt.marker,
        artifacts: attempt.artifacts,
        redact: (text) => services.redact(text),
      },
      signal,
    ));
  if (isOwn) await stageOnce(job, directory, staged);
  if (plan.repository === true) await beginRepository(directory, services.path, signal);
  return { directory, ...(ran === undefined ? {} : { bootstrap: ran }) };
}

/** A directory that is prepared is made; one that is only used must be there. */
async function existing(directory: string, isPrepared: boolean): Promise<void> {
  if (isPrepared) await mkdir(directory, { recursive: true });
  const isFolder = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return;
  throw new MeasurementError(`there is no folder ${directory} for the agent to work in`, {
    stage: 'workspace',
    kind: 'workspace-template',
    hint: 'Make it, or mend `workspace.cwd`.',
  });
}

interface Entered {
  readonly job: WorkspaceJob;
  readonly entry: Entry;
  readonly leave: () => void;
}

async function workspaceIn(ground: Ground, { job, entry, leave }: Entered): Promise<Workspace> {
  const { plan, attempt, services } = job;
  const { directory, bootstrap } = ground;
  const isOwn = services.owns(directory);
  const isPrepared = plan.template !== undefined || plan.bootstrap !== undefined;
  if (isPrepared) {
    const told = {
      mode: 'shared',
      directory,
      ...(plan.template === undefined ? {} : { templateDir: plan.template }),
      ...(bootstrap === undefined ? {} : { bootstrap }),
    };
    await attempt.artifacts.write('workspace.json', `${JSON.stringify(told, null, 2)}\n`);
  }
  return {
    directory,
    ...(isOwn ? {} : { isForeign: true }),
    seal: () => Promise.resolve(),
    changes: () =>
      Promise.reject(new Error('the changes of one trial cannot be told in a directory that several share')),
    release: (verdict) => {
      leave();
      if (verdict !== 'passed') entry.hasFailures = true;
      const keptAt = isOwn && verdict !== 'passed' ? { keptAt: keptPlace(services, directory) } : {};
      return Promise.resolve({ ...keptAt, warnings: [] });
    },
  };
}

function keptPlace({ sharedDirectory }: WorkspaceServices, directory: string): string {
  return join(sharedDirectory, `shared-${directory.slice(-6)}`);
}

/** What the processes of an attempt's own bootstrap are told. */
export function bootstrapVariables({
  attempt,
  directory,
  services,
}: WorkspaceJob & { readonly directory: string }): Record<string, string> {
  const { trial, artifacts } = attempt;
  return {
    ...trialVariables({ trial, workspace: { directory }, artifactDirectory: artifacts.directory() }),
    ...(services.outputDirectory === undefined ? {} : { ASSAY_OUTPUT_DIR: services.outputDirectory }),
  };
}
