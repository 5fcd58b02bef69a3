import { createHmac } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';

import type { Manifest } from '../../core/manifest.ts';
import { removeTemporaryFolders } from '../../lib/files/temporary-folder.ts';
import { given } from '../../lib/given.ts';
import { signingKey } from '../../lib/modules/signing-key.ts';
import { endOrphans } from '../../lib/process/end-orphans.ts';
import { ATTEMPT_MARKER, isToken, OWN_TOKEN } from '../../lib/process/own-token.ts';

type Leftovers = NonNullable<Manifest['leftovers']>;

/** Where a run stands, and its id. */
export interface RunPlace {
  readonly directory: string;
  readonly id: string;
}

/** How what this process starts and makes is found when it is killed. */
export function ownLeftovers(run: RunPlace, workspaceRoot: string | undefined): Leftovers {
  const places = [tmpdir(), ...(workspaceRoot === undefined ? [] : [workspaceRoot])];
  const own = { token: OWN_TOKEN, folders: [...new Set(places.map(realPlace))] };
  const seal = sealOf(run, own);
  return { ...own, ...given({ seal }) };
}

/**
 * Ends the processes and removes the temporary folders that a dead process of a run left. Only what we sealed is
 * believed: a run of somebody else may name the processes and the folders of others.
 */
export async function clearLeftovers(run: RunPlace, leftovers: Manifest['leftovers']): Promise<void> {
  if (leftovers?.seal === undefined || leftovers.seal !== sealOf(run, leftovers)) return;
  const ofRun = { text: `ASSAY_RUN_ID=${run.id}` };
  const { token, folders } = leftovers;
  // This very process may have run it before.
  if (!isToken(token) || token === OWN_TOKEN) return void (await endOrphans([ofRun]));
  await endOrphans([ofRun, { text: `${ATTEMPT_MARKER}=${token}-`, isBeginning: true }]);
  for (const folder of folders) await removeTemporaryFolders(token, folder);
}

/** A copy of a run has none that fits: the run that it is a copy of may be alive. */
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
