import { pathToFileURL } from 'node:url';

import { ownFile } from './own-file.ts';

/** The exports of a module a person wrote, TypeScript or not; `assay` in it is this very program. */
export async function importModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  // Loading it costs more than most commands take.
  const { createJiti } = await import('jiti');
  const jiti = createJiti(pathToFileURL(path).href, {
    interopDefault: false,
    alias: aliases(),
    nativeModules: ['assay', 'skillgym'],
  });
  return await jiti.import(path);
}

function aliases(): Record<string, string> {
  const index = ownFile('index');
  return index === undefined ? {} : { assay: index, skillgym: index };
}
