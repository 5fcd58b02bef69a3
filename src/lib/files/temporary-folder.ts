import { mkdtempSync, realpathSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { OWN_TOKEN } from '../process/own-token.ts';
import { removeTree } from './remove-tree.ts';
import { namesIn } from './names-in.ts';

/**
 * Creates a private folder that a later process can find by our token, if this process dies before removing it. `kind`:
 * lower-case letters.
 */
export async function temporaryFolder(kind: string, place?: string): Promise<string> {
  return mkdtemp(join(place ?? (await realpath(tmpdir())), `${kind}-${OWN_TOKEN}-`));
}

export function temporaryFolderSync(kind: string): string {
  return mkdtempSync(join(realpathSync(tmpdir()), `${kind}-${OWN_TOKEN}-`));
}

/** Removes what a dead process with that token left in a folder. */
export async function removeTemporaryFolders(token: string, place: string): Promise<void> {
  const isLeft = new RegExp(`^[a-z]+-${token}-\\w{6}$`);
  for (const name of namesIn(place).filter((each) => isLeft.test(each))) {
    await removeTree(join(place, name)).catch(() => {});
  }
}
