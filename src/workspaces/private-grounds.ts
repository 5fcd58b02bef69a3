import { lstat, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { MeasurementError, messageOf } from '../core/errors.ts';
import { temporaryFolder } from '../lib/files/temporary-folder.ts';
import { findProgram } from '../lib/process/find-program.ts';
import { isBusy } from './busy.ts';
import { once } from './once.ts';

/** The folder for a run's directories, checked once and only when it is needed. */
export interface PrivateGrounds {
  /** Creates an empty directory that only its owner can enter, with a neutral name. */
  freshDirectory(): Promise<string>;
}

export interface GroundsOptions {
  /** Absolute; from the config. Absent: the temporary directory of the system. */
  readonly root?: string | undefined;
  /** Where git is searched. */
  readonly environment: Readonly<Record<string, string>>;
}

export function privateGrounds({ root, environment }: GroundsOptions): PrivateGrounds {
  const setting =
    root === undefined ? 'set TMPDIR or `run.workspaceRoot` to' : 'write as `run.workspaceRoot`';
  const unusable = (message: string, cause: unknown) =>
    noDirectory(message, { hint: `free some space there, or ${setting} another folder`, cause });
  const checked = once(async () => {
    const place = await realpath(root ?? tmpdir()).catch((error: unknown) => {
      throw unusable(`${root ?? tmpdir()} cannot be used for workspaces: ${messageOf(error)}`, error);
    });
    await refuseRepository(place, `${setting} a folder outside any repository`);
    if ((await findProgram('git', { cwd: place, env: environment })) === undefined) throw gitMissing();
    return place;
  });
  return {
    freshDirectory: async () => {
      const place = await checked();
      return temporaryFolder('w', place).catch((error: unknown) => {
        throw unusable(`could not create a workspace directory in ${place}: ${messageOf(error)}`, error);
      });
    },
  };
}

/** An agent would find the instructions and the history of the surrounding repository. */
async function refuseRepository(place: string, hint: string): Promise<void> {
  for (let folder = place; ; folder = dirname(folder)) {
    const isRepository = await lstat(join(folder, '.git')).then(
      () => true,
      () => false,
    );
    if (isRepository) {
      throw new MeasurementError(`workspaces would be inside the git repository ${folder}`, {
        stage: 'workspace',
        kind: 'workspace-template',
        detail: 'workspace-root',
        hint,
      });
    }
    if (folder === dirname(folder)) return;
  }
}

function gitMissing(): MeasurementError {
  return new MeasurementError('git is not on PATH, but it is needed to record what the agent changes', {
    stage: 'workspace',
    kind: 'workspace-template',
    detail: 'git-missing',
    hint: 'Install git, or add its folder to PATH.',
  });
}

function noDirectory(
  message: string,
  { hint, cause }: { readonly hint: string; readonly cause: unknown },
): MeasurementError {
  return new MeasurementError(message, {
    stage: 'workspace',
    kind: 'workspace-template',
    transient: isBusy(cause),
    hint,
    cause,
  });
}
