import { pathToFileURL } from 'node:url';

import { settleForeignCode } from './foreign-code.ts';
import { ownFile } from './own-file.ts';

/**
 * The exports of a module a person wrote, TypeScript or not; `assay` in it is this very program. Rejects also with what
 * its code throws where nobody catches it, and when it calls `process.exit`.
 */
export async function importModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  // Loading it costs more than most commands take.
  const { createJiti } = await import('jiti');
  const jiti = createJiti(pathToFileURL(path).href, {
    interopDefault: false,
    alias: aliases(),
    nativeModules: ['assay', 'skillgym'],
  });
  return await settleForeignCode(path, async () => {
    const exports: Readonly<Record<string, unknown>> = await jiti.import(path);
    // Node tells of rejections that nobody waited for when all that could wait has run.
    await new Promise((resolve) => setImmediate(resolve));
    return exports;
  });
}

function aliases(): Record<string, string> {
  const index = ownFile('index');
  return index === undefined ? {} : { assay: index, skillgym: index };
}
