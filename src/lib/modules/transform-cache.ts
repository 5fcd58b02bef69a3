import { createHmac, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type * as Jiti from 'jiti';

import { digestOf } from '../digest.ts';
import { isOwnFolder, makePrivateFolder } from '../files/private-folder.ts';

type Transform = NonNullable<Jiti.JitiOptions['transform']>;

/** The loader that converts the source of modules to runnable code. */
export interface Transformer {
  readonly transform: (request: Jiti.TransformOptions) => string;
  readonly version: string;
  /** The digests of a cache entry. */
  readonly key: Buffer | undefined;
}

/**
 * The loader's output for modules. It is kept in `.assay/cache` of their project, signed together with its source, so
 * that entries of others are not used. Nothing is kept without an `.assay` folder of this account.
 */
export function cachedTransform(modulePath: string, { transform, version, key }: Transformer): Transform {
  const folder = key === undefined ? undefined : cacheFolder(dirname(modulePath));
  if (key === undefined || folder === undefined) return (request) => ({ code: transform(request) });
  return (request) => {
    const { source, ...rest } = request;
    const name = digestOf({ version, ...rest });
    const path = join(folder, `${name}.js`);
    const sign = (code: string) =>
      createHmac('sha256', key)
        .update(JSON.stringify([name, source, code]))
        .digest();
    const kept = signedCode(path, sign);
    if (kept !== undefined) return { code: kept };
    const code = transform(request);
    if (!code.includes(FAILED)) keep(path, `${sign(code).toString('hex')}\n${code}`);
    return { code };
  };
}

/** The loader's marker before code that it could not parse. */
const FAILED = '__JITI_ERROR__';

/** The folder of the nearest project, where runs are kept too. */
function cacheFolder(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const assay = join(folder, '.assay');
    if (isOwnFolder(assay)) return privateFolders(assay);
    if (folder === dirname(folder)) return undefined;
  }
}

function privateFolders(assay: string): string | undefined {
  const cache = join(assay, 'cache');
  const modules = join(cache, 'modules');
  if (!makePrivateFolder(cache) || !makePrivateFolder(modules)) return undefined;
  const ignore = join(cache, '.gitignore');
  if (!existsSync(ignore)) keep(ignore, '*\n');
  return modules;
}

function signedCode(path: string, sign: (code: string) => Buffer): string | undefined {
  try {
    const content = readFileSync(path, 'utf8');
    const end = content.indexOf('\n');
    const code = content.slice(end + 1);
    return timingSafeEqual(Buffer.from(content.slice(0, end), 'hex'), sign(code)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Written under another name first, so that readers never see a part of it. */
function keep(path: string, content: string): void {
  try {
    const own = `${path}-${process.pid}`;
    writeFileSync(own, content, { mode: 0o600, flag: 'wx' });
    renameSync(own, path);
  } catch {
    // Only the next start takes longer.
  }
}
