import { timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isOwnFolder, makePrivateFolder } from './private-folder.ts';

/** Signs the content of a kept file. */
export type Sign = (content: string) => Buffer;

/**
 * A private folder in `.assay/cache` of the nearest project, where runs are kept too. Undefined without an `.assay`
 * folder of this account.
 */
export function projectCache(start: string, name: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const assay = join(folder, '.assay');
    if (isOwnFolder(assay)) return privateFolders(assay, name);
    if (folder === dirname(folder)) return undefined;
  }
}

function privateFolders(assay: string, name: string): string | undefined {
  const cache = join(assay, 'cache');
  const folder = join(cache, name);
  if (!makePrivateFolder(cache) || !makePrivateFolder(folder)) return undefined;
  const ignore = join(cache, '.gitignore');
  if (!existsSync(ignore)) keepFile(ignore, '*\n');
  return folder;
}

/** The content of a kept file: undefined if the file does not exist, null if its signature is wrong. */
export function readSigned(path: string, sign: Sign): string | null | undefined {
  try {
    const content = readFileSync(path, 'utf8');
    const end = content.indexOf('\n');
    const body = content.slice(end + 1);
    const [given, right] = [Buffer.from(content.slice(0, Math.max(end, 0)), 'hex'), sign(body)];
    return given.length === right.length && timingSafeEqual(given, right) ? body : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : null;
  }
}

/** Keeps a file with its signature. A file that cannot be written is not kept. */
export function keepSigned(path: string, content: string, sign: Sign): void {
  keepFile(path, `${sign(content).toString('hex')}\n${content}`);
}

/** Written under another name first, so that readers never see a part of it. */
function keepFile(path: string, content: string): void {
  try {
    const own = `${path}-${process.pid}`;
    writeFileSync(own, content, { mode: 0o600, flag: 'wx' });
    renameSync(own, path);
  } catch {
    // Only the next start takes longer.
  }
}
