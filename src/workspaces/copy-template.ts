import { stat } from 'node:fs/promises';

import { MeasurementError, messageOf } from '../core/errors.ts';
import { isBusy } from './busy.ts';
import { bytePath } from '../lib/files/byte-path.ts';
import { copyInto } from './copy-into.ts';
import { copyTree } from '../lib/files/copy-tree.ts';

/** Fills an empty directory of assay. */
export function copyTemplate(template: string, directory: string, signal: AbortSignal): Promise<void> {
  return toldOf(template, () => copyTree([bytePath(template), bytePath(directory)], signal));
}

/** Fills a directory that may already contain the files of the template. */
export function addTemplate(template: string, directory: string, signal: AbortSignal): Promise<void> {
  return toldOf(template, () => copyInto(template, directory, signal));
}

async function toldOf(template: string, copy: () => Promise<void>): Promise<void> {
  try {
    const isFolder = (await stat(template)).isDirectory();
    if (!isFolder) throw new Error('it is not a folder');
    await copy();
  } catch (error) {
    if (error instanceof MeasurementError) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const what = isMissing ? 'the folder does not exist, or a part of it was removed' : messageOf(error);
    throw new MeasurementError(`the workspace template ${template} cannot be copied: ${what}`, {
      stage: 'workspace',
      kind: 'workspace-template',
      transient: isBusy(error),
      hint: 'Correct `workspace.template` of the test or its suite.',
      cause: error,
    });
  }
}
