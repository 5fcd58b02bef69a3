import { mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { MeasurementError } from '../core/errors.ts';
import type { Workspace } from '../core/workspace.ts';
import { given } from '../lib/given.ts';
import { endProcessesBelow, thisMoment } from '../lib/process/processes-below.ts';
import { runBootstrap } from './bootstrap.ts';
import { addTemplate, copyTemplate } from './copy-template.ts';
import { withEnd } from './end-workspace.ts';
import { keepDirectory, removeDirectory, type Keeping } from './put-away.ts';
import { beginRepository } from './repository.ts';
import { stageFolders } from './staged-folders.ts';
import { turnstile } from '../lib/time/turnstile.ts';
import { inWorkTime } from './work-time.ts';
import type { BootstrapRun, PlacedJob, WorkspaceJob, WorkspaceServices } from './workspace-job.ts';

/** Directories that several trials share. Dispose of them at the end of the run. */
export interface SharedWorkspaces extends AsyncDisposable {
  prepare(job: WorkspaceJob, signal: AbortSignal): Promise<Workspace>;
}

/** The state of one shared directory. */
interface Ground {
  readonly directory: string;
  readonly bootstrap?: BootstrapRun;
}

interface Entry {
  readonly ready: Promise<Ground>;
  hasFailures: boolean;
}

export function sharedWorkspaces(services: WorkspaceServices): SharedWorkspaces {
  const entries = new Map<string, Entry>();
  const turnstiles = new Map<string, ReturnType<typeof turnstile>>();
  const entryOf = (job: WorkspaceJob, signal: AbortSignal): Entry => {
    const key = keyOf(job);
    const known = entries.get(key);
    if (known !== undefined) return known;
    // Prepared once; the output is stored under the name of the first attempt.
    const entry: Entry = { ready: groundOf(job, signal), hasFailures: false };
    entries.set(key, entry);
    // After a transient failure the next attempt tries again.
    entry.ready.catch((error: unknown) => {
      if (error instanceof MeasurementError && error.transient) entries.delete(key);
    });
    return entry;
  };
  const enter = async (job: WorkspaceJob, signal: AbortSignal): Promise<() => void> => {
    const place = await placeOf(job);
    if (services.sideBySide === true) return () => {};
    const through = turnstiles.get(place) ?? turnstile();
    turnstiles.set(place, through);
    return through(signal);
  };
  return {
    async prepare(job, signal) {
      const leave = await enter(job, signal);
      try {
        const entry = entryOf(job, signal);
        return await workspaceIn(await entry.ready, { job, entry, leave });
      } catch (error) {
        leave();
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      for (const { ready, hasFailures } of entries.values()) {
        const ground = await ready.catch(() => undefined);
        if (ground === undefined || !services.owns(ground.directory)) continue;
        const { warning } = hasFailures
          ? await keepDirectory(ground.directory, keepingOf(services, ground.directory))
          : await removeDirectory(ground.directory);
        if (warning !== undefined) services.warn(warning);
      }
    },
  };
}

/** Where only one trial may work at a time; an operator's directory is always one such place. */
async function placeOf(job: WorkspaceJob): Promise<string> {
  const { shared, template, bootstrap } = job.plan;
  if (shared === undefined || 'key' in shared) return keyOf(job);
  await existing(shared.directory, template !== undefined || bootstrap !== undefined);
  return await realpath(shared.directory);
}

/** Targets with different folders get separate directories. */
function keyOf({ plan, services, attempt }: WorkspaceJob): string {
  const { shared, template, bootstrap } = plan;
  const staged = services.stagedFor(attempt.trial.target).map(({ source, to }) => [to, source]);
  return JSON.stringify([shared, template, bootstrap, staged]);
}

async function groundOf(job: WorkspaceJob, signal: AbortSignal): Promise<Ground> {
  const { plan, services } = job;
  const { shared } = plan;
  if (shared === undefined) throw new Error('the plan has no shared workspace');
  if (!('key' in shared)) return await filled({ ...job, directory: shared.directory }, signal);
  const directory = await services.freshDirectory();
  services.own(directory);
  try {
    return await filled({ ...job, directory }, signal);
  } catch (error) {
    throw await abandoned(directory, error, services);
  }
}

/** The files of a failed bootstrap are kept for the person who fixes it; other directories are removed. */
async function abandoned(directory: string, error: unknown, services: WorkspaceServices): Promise<unknown> {
  if (!(error instanceof MeasurementError) || error.kind !== 'workspace-bootstrap') {
    await removeDirectory(directory);
    return error;
  }
  const { warning, ...kept } = await keepDirectory(directory, keepingOf(services, directory));
  return withEnd(error, { ...kept, warnings: warning === undefined ? [] : [warning] });
}

async function filled(job: PlacedJob, signal: AbortSignal): Promise<Ground> {
  const { plan, services, attempt, directory } = job;
  const { template, bootstrap } = plan;
  const isOwn = services.owns(directory);
  if (template !== undefined) await fillFrom(template, { directory, isOwn }, signal);
  const variables = {
    ASSAY_RUN_ID: attempt.trial.runId,
    ASSAY_WORKSPACE: directory,
    ASSAY_ARTIFACT_DIR: attempt.artifacts.scratch(),
    ...given({ ASSAY_OUTPUT_DIR: services.outputDirectory }),
  };
  const ran = bootstrap && (await runBootstrap(bootstrap, { ...job, variables }, signal));
  const ground = { directory, ...(ran === undefined ? {} : { bootstrap: ran.bootstrap }) };
  if (ran?.failure !== undefined) {
    await tellWhere(ground, job);
    throw ran.failure;
  }
  if (isOwn) await stageFolders(job, signal);
  if (plan.repository === true) await beginRepository(directory, services.path, signal);
  return ground;
}

function fillFrom(
  template: string,
  { directory, isOwn }: { readonly directory: string; readonly isOwn: boolean },
  signal: AbortSignal,
): Promise<void> {
  const copy = isOwn ? copyTemplate : addTemplate;
  return inWorkTime('copying the template', signal, (now) => copy(template, directory, now));
}

/** For people who look at an attempt. */
async function tellWhere({ directory, bootstrap }: Ground, { plan, attempt }: WorkspaceJob): Promise<void> {
  const told = {
    mode: 'shared',
    directory,
    ...given({ templateDir: plan.template, bootstrap }),
  };
  await attempt.artifacts.write('workspace.json', `${JSON.stringify(told, null, 2)}\n`);
}

/** A prepared directory is created; one that is only used must exist. */
async function existing(directory: string, isPrepared: boolean): Promise<void> {
  if (isPrepared) await mkdir(directory, { recursive: true });
  const isFolder = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return;
  throw new MeasurementError(`working directory of the agent not found: ${directory}`, {
    stage: 'workspace',
    kind: 'workspace-template',
    hint: 'Create it, or correct `workspace.cwd`.',
  });
}

interface Entered {
  readonly job: WorkspaceJob;
  readonly entry: Entry;
  readonly leave: () => void;
}

async function workspaceIn(ground: Ground, { job, entry, leave }: Entered): Promise<Workspace> {
  const { plan, services } = job;
  const { directory } = ground;
  const isOwn = services.owns(directory);
  const isPrepared = plan.template !== undefined || plan.bootstrap !== undefined;
  const since = thisMoment();
  // In a directory of the user's own, or next to other trials, other programs may be at work.
  const isAlone = isOwn && services.sideBySide !== true;
  if (isPrepared) await tellWhere(ground, job);
  return {
    directory,
    ...(isOwn ? {} : { isForeign: true }),
    endProcesses: async () => void (isAlone && (await endProcessesBelow(directory, since))),
    capture: () => Promise.resolve(),
    changes: () =>
      Promise.reject(
        new Error('the changes of one trial are unknown in a directory that several trials share'),
      ),
    release: async (verdict) => {
      leave();
      if (verdict !== 'passed') entry.hasFailures = true;
      const keptAt = isOwn && verdict !== 'passed' ? { keptAt: keptPlace(services, directory) } : {};
      return { ...keptAt, warnings: [] };
    },
  };
}

function keepingOf(services: WorkspaceServices, directory: string): Keeping {
  return { destination: keptPlace(services, directory), clean: services.cleanKept };
}

function keptPlace({ sharedDirectory }: WorkspaceServices, directory: string): string {
  return join(sharedDirectory, `shared-${directory.slice(-6)}`);
}
