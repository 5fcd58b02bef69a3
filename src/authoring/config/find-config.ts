import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const CONFIG_NAMES = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'].map(
  (extension) => `assay.config.${extension}`,
);

/**
 * The configs of the nearest folder upward that has any, else of the nearest one upward from the working directory; more
 * than one is for the caller to refuse.
 */
export async function findConfigs(startDirectory: string, cwd: string): Promise<readonly string[]> {
  const found = await upwardFrom(startDirectory);
  return found.length > 0 ? found : await upwardFrom(cwd);
}

async function upwardFrom(startDirectory: string): Promise<readonly string[]> {
  for (let folder = startDirectory; ; folder = dirname(folder)) {
    const names = await namesIn(folder);
    const found = CONFIG_NAMES.filter((name) => names.has(name));
    if (found.length > 0) return found.map((name) => join(folder, name));
    if (folder === dirname(folder)) return [];
  }
}

async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(folder));
  } catch {
    // A folder that cannot be listed, or is not there yet, has no config we could read.
    return new Set();
  }
}
