import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../../../', import.meta.url);

/** The program that the tests start. */
export const program = fileURLToPath(new URL('dist/bin.js', root));

interface Stamp {
  readonly isBuilt: () => boolean;
}

/** Before the first test: the tests start what is in dist, so it must be there and be made of what is in src. */
export async function setup(): Promise<void> {
  if (!existsSync(program)) throw new Error(`there is no ${program}; ${WHAT_TO_DO}`);
  const stamp = (await import(
    pathToFileURL(fileURLToPath(new URL('scripts/lib/stamp.mjs', root))).href
  )) as Stamp;
  if (!stamp.isBuilt()) throw new Error(`dist was not made of what is in src now; ${WHAT_TO_DO}`);
}

const WHAT_TO_DO = 'run `npm run setup`, or `npm test`, which does it first';
