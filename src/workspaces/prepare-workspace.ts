import { MeasurementError } from '../core/errors.ts';
import type { Workspace } from '../core/workspace.ts';
import { thisMoment } from '../lib/process/processes-below.ts';
import type { Baseline } from './baselines.ts';
import { runBootstrap, type BootstrapEnd } from './bootstrap.ts';
import { bytePath } from '../lib/files/byte-path.ts';
import { copyTemplate } from './copy-template.ts';
import { endWorkspace, withEnd, type WorkspaceEnd } from './end-workspace.ts';
import { openWorkspace } from './open-workspace.ts';
import { removeDirectory } from './put-away.ts';
import { beginRepository } from './repository.ts';
import { runScript, variablesOf, type ScriptFailure } from './run-script.ts';
import { NOTHING, scanTree } from './scan-tree.ts';
import { stageFolders } from './staged-folders.ts';
import { inWorkTime } from './work-time.ts';
import type { PlacedJob, WorkspaceJob } from './workspace-job.ts';

/** Creates the directory with template, setup and baseline. After the start of setup, teardown always runs. */
export async function prepareWorkspace(job: WorkspaceJob, signal: AbortSignal): Promise<Workspace> {
  signal.throwIfAborted();
  const since = thisMoment();
  let placed: PlacedJob = { ...job, directory: await job.services.freshDirectory() };
  const template = await fillIn(placed, signal);
  let failure: ScriptFailure | undefined;
  try {
    failure = await setUp(placed, signal);
    if (failure === undefined) {
      const { bootstrap, failure: fault } = await bootstrapped(placed, signal);
      if (bootstrap !== undefined) placed = { ...placed, bootstrap };
      if (fault !== undefined) throw fault;
      await stageFolders(placed, signal);
      const { repository } = job.plan;
      if (repository === true) await beginRepository(placed.directory, job.services.path, signal);
      return await openWorkspace({ ...placed, since }, template, signal);
    }
  } catch (error) {
    // The files of a failed bootstrap are kept for the person who fixes it.
    const isKept = error instanceof MeasurementError && error.kind === 'workspace-bootstrap';
    const end = await endWorkspace(placed, isKept ? 'errored' : 'cancelled');
    throw error instanceof MeasurementError ? withEnd(error, end) : error;
  }
  throw setupError(placed, failure, await endWorkspace(placed, 'errored'));
}

/** Removes the directory when it fails. */
async function fillIn(job: PlacedJob, signal: AbortSignal): Promise<Baseline> {
  const { directory, plan, services } = job;
  try {
    if (plan.template === undefined) return { tree: NOTHING };
    const { template } = plan;
    return await inWorkTime('copying the template and recording it', signal, async (now) => {
      await copyTemplate(template, directory, now);
      const { tree } = await scanTree(bytePath(directory), now);
      const baseline = await services.baselines.ofTemplate(tree, directory);
      now.throwIfAborted();
      return baseline;
    });
  } catch (error) {
    await removeDirectory(directory);
    throw error;
  }
}

const SETUP_TIMEOUT_MS = 60_000;

async function setUp(job: PlacedJob, signal: AbortSignal): Promise<ScriptFailure | undefined> {
  const { setup } = job.plan;
  if (setup === undefined) return undefined;
  const outcome = await runScript({ ...setup, timeoutMs: setup.timeoutMs ?? SETUP_TIMEOUT_MS }, job, signal);
  if (outcome === 'aborted') throw signal.reason;
  return outcome === 'done' ? undefined : outcome;
}

async function bootstrapped(job: PlacedJob, signal: AbortSignal): Promise<Partial<BootstrapEnd>> {
  const { bootstrap } = job.plan;
  if (bootstrap === undefined) return {};
  return await runBootstrap(bootstrap, { ...job, variables: variablesOf(job) }, signal);
}

function setupError(job: PlacedJob, failure: ScriptFailure, end: WorkspaceEnd): MeasurementError {
  const { plan, services } = job;
  const message = [
    `the setup script \`${plan.setup?.script.join(' ')}\` ${failure.text}`,
    ...(end.keptAt === undefined ? [] : [`the workspace is kept at ${end.keptAt}`]),
    ...end.warnings,
    ...(failure.stderr === '' ? [] : [`its stderr ends:\n${failure.stderr}`]),
  ].join('; ');
  return new MeasurementError(services.redact(message), {
    stage: 'workspace',
    kind: 'workspace-setup',
    transient: failure.transient,
    hint: 'Run the script by hand from the folder of the eval file (or its `cwd`), with ASSAY_WORKSPACE set.',
  });
}
