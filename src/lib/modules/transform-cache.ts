import { createHmac } from 'node:crypto';
import { dirname, join } from 'node:path';

import type * as Jiti from 'jiti';

import { digestOf } from '../digest.ts';
import { keepSigned, projectCache, readSigned } from '../files/project-cache.ts';

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
  const folder = key === undefined ? undefined : projectCache(dirname(modulePath), 'modules');
  if (key === undefined || folder === undefined) return (request) => ({ code: transform(request) });
  return (request) => {
    const { source, ...rest } = request;
    const name = digestOf({ version, ...rest });
    const path = join(folder, `${name}.js`);
    const sign = (code: string) =>
      createHmac('sha256', key)
        .update(JSON.stringify([name, source, code]))
        .digest();
    const kept = readSigned(path, sign);
    if (kept != null) return { code: kept };
    const code = transform(request);
    if (!code.includes(FAILED)) keepSigned(path, code, sign);
    return { code };
  };
}

/** The loader's marker before code that it could not parse. */
const FAILED = '__JITI_ERROR__';
