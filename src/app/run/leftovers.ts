import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';

import type { Manifest } from '../../core/manifest.ts';
import { removeTemporaryFolders } from '../../lib/files/temporary-folder.ts';
import { endOrphans } from '../../lib/process/end-orphans.ts';
import { ATTEMPT_MARKER, isToken, OWN_TOKEN } from '../../lib/process/own-token.ts';

/** How what this process starts and makes is found when it is killed. */
export function ownLeftovers(workspaceRoot: string | undefined): NonNullable<Manifest['leftovers']> {
  const folders = [tmpdir(), ...(workspaceRoot === undefined ? [] : [workspaceRoot])];
  return { token: OWN_TOKEN, folders: [...new Set(folders.map(realPlace))] };
}

/** Ends the processes and removes the temporary folders that a dead process of a run left. */
export async function clearLeftovers({ id, leftovers }: Manifest): Promise<void> {
  const ofRun = { text: `ASSAY_RUN_ID=${id}` };
  const { token, folders = [] } = leftovers ?? {};
  // This very process may have run it before.
  if (!isToken(token) || token === OWN_TOKEN) return void (await endOrphans([ofRun]));
  await endOrphans([ofRun, { text: `${ATTEMPT_MARKER}=${token}-`, isBeginning: true }]);
  for (const folder of folders) await removeTemporaryFolders(token, folder);
}

function realPlace(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
