import { cp, mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

import { AssayError } from '../../core/errors.ts';
import { removeTree } from '../../lib/files/remove-tree.ts';

/** The working directory of an agent, restored until it is disposed. */
export interface ReturnedWorkspace extends AsyncDisposable {
  readonly directory: string;
  /** It still exists, so it was not restored. */
  readonly isForeign?: true;
}

/** Some agents find a session only in its original directory, so the kept copy is restored there. */
export async function returnWorkspace(
  directory: string,
  kept: string | undefined,
): Promise<ReturnedWorkspace> {
  if (existsSync(directory)) {
    return { directory, isForeign: true, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  if (kept === undefined || !existsSync(kept)) {
    throw new AssayError(
      'explain-not-possible',
      `the working directory of the agent no longer exists: ${directory}`,
      {
        stage: 'plan',
        hint: 'run the case again',
      },
    );
  }
  const made = await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
  const top = made ?? directory;
  const remove = () => removeTree(top);
  try {
    await cp(kept, directory, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  } catch (error) {
    await remove();
    throw error;
  }
  return { directory, [Symbol.asyncDispose]: remove };
}
