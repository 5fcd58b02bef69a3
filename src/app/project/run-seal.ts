import { createHmac } from 'node:crypto';

import type { Manifest } from '../../core/manifest.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { signingKey } from '../../lib/modules/signing-key.ts';

export type Leftovers = NonNullable<Manifest['leftovers']>;

/** Directory and id of a run. */
export interface RunPlace {
  readonly directory: string;
  readonly id: string;
}

/** Whether this account recorded the run, in the directory in which it now is. */
export function isSealed(run: RunPlace, leftovers: Manifest['leftovers']): boolean {
  return leftovers?.seal !== undefined && leftovers.seal === sealOf(run, leftovers);
}

/** The seal covers the directory, so a copy of a run has no valid one: the original may still be running. */
export function sealOf({ directory, id }: RunPlace, { token, folders }: Leftovers): string | undefined {
  const key = signingKey();
  if (key === undefined) return undefined;
  const told = JSON.stringify([realPath(directory), id, token, folders]);
  return createHmac('sha256', key).update(`leftovers ${told}`).digest('hex');
}
