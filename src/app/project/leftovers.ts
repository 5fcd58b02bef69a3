import { tmpdir } from 'node:os';

import type { Manifest } from '../../core/manifest.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { removeTemporaryFolders } from '../../lib/files/temporary-folder.ts';
import { given } from '../../lib/given.ts';
import { endOrphans } from '../../lib/process/end-orphans.ts';
import { ATTEMPT_MARKER, GRADER_MARKER, isToken, OWN_TOKEN } from '../../lib/process/own-token.ts';
import { isSealed, type Leftovers, type RunPlace, sealOf } from './run-seal.ts';

/** Identifies the child processes and temporary folders of this process, in case it is killed. */
export function ownLeftovers(run: RunPlace, workspaceRoot: string | undefined): Leftovers {
  const places = [tmpdir(), ...(workspaceRoot === undefined ? [] : [workspaceRoot])];
  const own = { token: OWN_TOKEN, folders: [...new Set(places.map(realPath))] };
  const seal = sealOf(run, own);
  return { ...own, ...given({ seal }) };
}

/**
 * Ends the processes and removes the temporary folders that a killed process of a run left. Requires a valid seal,
 * because a run directory from elsewhere could name unrelated processes and folders. Gives whether the seal is valid.
 */
export async function clearLeftovers(run: RunPlace, leftovers: Manifest['leftovers']): Promise<boolean> {
  if (leftovers === undefined || !isSealed(run, leftovers)) return false;
  const ofRun = { text: `ASSAY_RUN_ID=${run.id}` };
  const { token, folders } = leftovers;
  // This process may have executed the run before.
  if (!isToken(token) || token === OWN_TOKEN) {
    await endOrphans([ofRun]);
    return true;
  }
  const ofProcess = [ATTEMPT_MARKER, GRADER_MARKER].map((name) => ({
    text: `${name}=${token}-`,
    isBeginning: true as const,
  }));
  await endOrphans([ofRun, ...ofProcess]);
  for (const folder of folders) await removeTemporaryFolders(token, folder);
  return true;
}
