import { cp, mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

import { AssayError } from '../../core/errors.ts';
import { removeTree } from '../../lib/files/remove-tree.ts';

/** A directory that an agent worked in, there again as long as it is held. */
export interface ReturnedWorkspace extends AsyncDisposable {
  readonly directory: string;
  /** It was never away. */
  readonly isForeign?: true;
}

/** Some agents find a session only in the directory where it began: what was kept of it is copied back there. */
export async function returnWorkspace(
  directory: string,
  kept: string | undefined,
): Promise<ReturnedWorkspace> {
  if (existsSync(directory)) {
    return { directory, isForeign: true, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  if (kept === undefined || !existsSync(kept)) {
    throw new AssayError('explain-not-possible', `${directory}, where the agent worked, is gone`, {
      stage: 'plan',
      hint: 'run the case again',
    });
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
