import { readdir } from 'node:fs/promises';

import { messageOf } from '../../core/errors.ts';
import { removeTree } from '../../lib/files/remove-tree.ts';
import { unsearchedNotes, namedPaths } from './cleaning-notes.ts';
import type { FileCleaner } from './file-cleaner.ts';

/**
 * Removes secrets from files that an agent left among artifacts. Returns notes on files that were not kept. Rejects only if
 * nothing can be written. On any other error, the agent's files are not kept.
 */
export async function cleanForeign(
  directory: string,
  own: ReadonlySet<string>,
  cleaner: FileCleaner,
): Promise<readonly string[]> {
  try {
    const { leftOut, unread, unsearched } = await cleaner.cleanTree(directory, 'artifacts', own);
    return [
      ...namedPaths(
        leftOut,
        'artifacts of the agent were not kept, because a secret in them could not be removed',
      ),
      ...namedPaths(unread, 'artifacts of the agent could not be read and searched for secrets'),
      ...unsearchedNotes(unsearched, 'artifacts of the agent were not kept'),
    ];
  } catch (error) {
    if (FULL.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await removeForeign(directory, own);
    return [`the artifacts of the agent were not kept: ${messageOf(error)}`];
  }
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

async function removeForeign(directory: string, own: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(directory, { encoding: 'buffer' })) {
    if (own.has(name.toString())) continue;
    await removeTree(Buffer.concat([Buffer.from(`${directory}/`), name])).catch(() => {});
  }
}
