import { createHmac } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';

import type { Manifest } from '../../core/manifest.ts';
import { removeTemporaryFolders } from '../../lib/files/temporary-folder.ts';
import { given } from '../../lib/given.ts';
import { signingKey } from '../../lib/modules/signing-key.ts';
import { endOrphans } from '../../lib/process/end-orphans.ts';
import { ATTEMPT_MARKER, GRADER_MARKER, isToken, OWN_TOKEN } from '../../lib/process/own-token.ts';

type Leftovers = NonNullable<Manifest['leftovers']>;

/** Directory and id of a run. */
export interface RunPlace {
  readonly directory: string;
  readonly id: string;
}

/** Identifies the child processes and temporary folders of this process, in case it is killed. */
export function ownLeftovers(run: RunPlace, workspaceRoot: string | undefined): Leftovers {
  const places = [tmpdir(), ...(workspaceRoot === undefined ? [] : [workspaceRoot])];
  const own = { token: OWN_TOKEN, folders: [...new Set(places.map(realPlace))] };
  const seal = sealOf(run, own);
  return { ...own, ...given({ seal }) };
}

/**
 * Ends the processes and removes the temporary folders that a killed process of a run left. Requires a valid seal,
 * because a run directory from elsewhere could name unrelated processes and folders.
 */
export async function clearLeftovers(run: RunPlace, leftovers: Manifest['leftovers']): Promise<void> {
  if (leftovers === undefined || !isSealed(run, leftovers)) return;
  const ofRun = { text: `ASSAY_RUN_ID=${run.id}` };
  const { token, folders } = leftovers;
  // This process may have executed the run before.
  if (!isToken(token) || token === OWN_TOKEN) return void (await endOrphans([ofRun]));
  const ofProcess = [ATTEMPT_MARKER, GRADER_MARKER].map((name) => ({
    text: `${name}=${token}-`,
    isBeginning: true as const,
  }));
  await endOrphans([ofRun, ...ofProcess]);
  for (const folder of folders) await removeTemporaryFolders(token, folder);
}

/** Whether this account recorded the run, in the directory in which it now is. */
export function isSealed(run: RunPlace, leftovers: Manifest['leftovers']): boolean {
  return leftovers?.seal !== undefined && leftovers.seal === sealOf(run, leftovers);
}

/** The seal covers the directory, so a copy of a run has no valid one: the original may still be running. */
function sealOf({ directory, id }: RunPlace, { token, folders }: Leftovers): string | undefined {
  const key = signingKey();
  if (key === undefined) return undefined;
  const told = JSON.stringify([realPlace(directory), id, token, folders]);
  return createHmac('sha256', key).update(`leftovers ${told}`).digest('hex');
}

function realPlace(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
