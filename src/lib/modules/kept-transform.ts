import { createRequire } from 'node:module';

import type { JitiOptions } from 'jiti';

import { moduleLoader } from './module-loader.ts';
import { signingKey } from './signing-key.ts';
import { cachedTransform } from './transform-cache.ts';

export const LOADER_OPTIONS = { interopDefault: false, fsCache: false } satisfies JitiOptions;

/** The loader's output for the modules of a project, kept as far as `cachedTransform` keeps it. */
export function keptTransform(path: string): NonNullable<JitiOptions['transform']> {
  const { createJiti } = moduleLoader();
  const { transform } = createJiti(path, LOADER_OPTIONS);
  return cachedTransform(path, { transform, version: loaderVersion(), key: signingKey() });
}

export function loaderVersion(): string {
  const { version } = createRequire(import.meta.url)('jiti/package.json') as { readonly version: string };
  return version;
}
