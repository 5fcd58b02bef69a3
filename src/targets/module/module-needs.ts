import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { ProgramNeeds } from '../../core/sandbox.ts';
import { ownPlaces } from '../../lib/modules/own-file.ts';

/** What a module sees in a sandbox: itself, the packages of the folders above it, and assay. */
export function moduleNeeds(path: string): ProgramNeeds {
  const above = foldersAbove(path);
  const packages = above.map((folder) => join(folder, 'node_modules')).filter((place) => existsSync(place));
  // Node takes only the nearest one.
  const described = above.map((folder) => join(folder, 'package.json')).find((place) => existsSync(place));
  return {
    writable: [],
    readable: [path, ...packages, ...(described === undefined ? [] : [described]), ...ownPlaces()],
  };
}

function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}
