import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const CONFIG_NAMES = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'].map(
  (extension) => `assay.config.${extension}`,
);

/** File names that the published runner of code suites gave its config. */
const PUBLISHED_NAMES = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map(
  (extension) => `skillgym.config.${extension}`,
);

/**
 * The configs of the nearest parent folder that has any, else of the nearest one above the working directory. The
 * caller must refuse more than one.
 */
export async function findConfigs(startDirectory: string, cwd: string): Promise<readonly string[]> {
  const found = await upwardFrom(startDirectory, CONFIG_NAMES);
  return found.length > 0 ? found : await upwardFrom(cwd, CONFIG_NAMES);
}

/** A config under its published name. It is not read; people are told to rename it. */
export async function findPublishedConfig(startDirectory: string, cwd: string): Promise<string | undefined> {
  const [found] = await upwardFrom(startDirectory, PUBLISHED_NAMES);
  return found ?? (await upwardFrom(cwd, PUBLISHED_NAMES))[0];
}

async function upwardFrom(startDirectory: string, wanted: readonly string[]): Promise<readonly string[]> {
  for (let folder = startDirectory; ; folder = dirname(folder)) {
    const names = await namesIn(folder);
    const found = wanted.filter((name) => names.has(name));
    if (found.length > 0) return found.map((name) => join(folder, name));
    if (folder === dirname(folder)) return [];
  }
}

async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(folder));
  } catch {
    // A folder that cannot be listed or does not exist has no readable config.
    return new Set();
  }
}
