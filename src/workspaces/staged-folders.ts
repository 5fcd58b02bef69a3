import { lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { MeasurementError, messageOf } from '../core/errors.ts';
import type { StagedFolder } from '../core/plugin.ts';
import { isBusy } from './busy.ts';
import { bytePath } from '../lib/files/byte-path.ts';
import { copyTree } from '../lib/files/copy-tree.ts';
import type { PlacedJob } from './workspace-job.ts';

/** Copies in the folders of the target, before the baseline is recorded. */
export async function stageFolders(
  { directory, services, attempt }: PlacedJob,
  signal: AbortSignal,
): Promise<void> {
  for (const staged of services.stagedFor(attempt.trial.target)) await stageFolder(staged, directory, signal);
}

/** Copies in one folder; its path must be free. */
async function stageFolder(
  { source, to }: StagedFolder,
  directory: string,
  signal: AbortSignal,
): Promise<void> {
  const place = join(directory, to);
  try {
    if (await isThere(place)) throw new Error('the workspace already contains this path');
    const standing = relative(await realpath(directory), await realpath(await deepestThere(place)));
    if (standing.startsWith('..')) throw new Error('a link points outside the workspace');
    await mkdir(place, { recursive: true });
    await copyTree([bytePath(source), bytePath(place)], signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new MeasurementError(`${source} cannot be copied to ${to} in the workspace: ${messageOf(error)}`, {
      stage: 'workspace',
      kind: 'workspace-template',
      detail: 'staged-folder',
      transient: isBusy(error),
      hint: 'rename the skill, or remove it from `skills` of the target',
      cause: error,
    });
  }
}

/** The nearest existing folder above; at the latest the workspace itself. */
async function deepestThere(path: string): Promise<string> {
  const parent = dirname(path);
  return (await isThere(parent)) ? parent : deepestThere(parent);
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
