import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';

import type { JitiOptions } from 'jiti';

import { isObject } from '../json.ts';
import { settleForeignCode } from './foreign-code.ts';
import { ownFile } from './own-file.ts';
import { signingKey } from './signing-key.ts';
import { cachedTransform } from './transform-cache.ts';

/**
 * The exports of a module a person wrote, TypeScript or not; `assay` in it is this very program. Rejects also with what
 * its code throws where nobody catches it, and when it calls `process.exit`.
 */
export async function importModule(path: string, limitMs = LOAD_LIMIT_MS): Promise<Exports> {
  const limit = limited(limitMs);
  const loading = settleForeignCode(path, async () => {
    const exports = await importIntoOwnProcess(path);
    // Node tells of rejections that nobody waited for when all that could wait has run.
    await new Promise((resolve) => setImmediate(resolve));
    return exports;
  });
  loads += 1;
  try {
    return await Promise.race([loading, limit.met]);
  } finally {
    loads -= 1;
    limit.callOff();
  }
}

/** The same in a process that has no other purpose: it may do with it what it likes. */
export async function importIntoOwnProcess(path: string): Promise<Exports> {
  // Loading it costs more than most commands take.
  const { createJiti } = await import('jiti');
  const options = { interopDefault: false, fsCache: false } satisfies JitiOptions;
  const { version } = createRequire(import.meta.url)('jiti/package.json') as { readonly version: string };
  const plain = createJiti(path, options);
  const transform = cachedTransform(path, { transform: plain.transform, version, key: signingKey() });
  const jiti = createJiti(pathToFileURL(path).href, { ...options, ...ourselves(), transform });
  return asModule(await jiti.import(path));
}

type Exports = Readonly<Record<string, unknown>>;

/** What CommonJS exports is one value: the default export, unless it says that it was a module once. */
function asModule(exported: unknown): Exports {
  const whole = types.isModuleNamespaceObject(exported) ? (exported as Exports)['default'] : exported;
  if (isObject(whole) && whole['__esModule'] === true) return whole;
  if (whole !== exported) return exported as Exports;
  if (!isObject(exported)) return { default: exported };
  const keys = Object.keys(exported);
  return keys.length === 0 ? exported : { ...exported, default: exported };
}

let loads = 0;

/** Whether a module is being loaded: then nothing is measured yet that could be lost. */
export function isLoadingModule(): boolean {
  return loads > 0;
}

const LOAD_LIMIT_MS = 60_000;

/** Rejects when the time is over, and as soon as this process has nothing more to wait for. */
function limited(limitMs: number): { readonly met: Promise<never>; callOff(): void } {
  let callOff = (): void => {};
  const met = new Promise<never>((_, reject) => {
    const onIdle = () =>
      reject(new LoadingNeverEnds('its loading never ends: a top-level await that nothing settles'));
    const timer = setTimeout(
      () => reject(new LoadingNeverEnds(`its loading did not end within ${limitMs / 1000} s`)),
      limitMs,
    ).unref();
    process.once('beforeExit', onIdle);
    callOff = () => {
      clearTimeout(timer);
      process.off('beforeExit', onIdle);
    };
  });
  return { met, callOff };
}

class LoadingNeverEnds extends Error {
  override readonly name = 'LoadingNeverEnds';
}

/** `assay` in a module is this very program. */
function ourselves(): Pick<JitiOptions, 'alias' | 'virtualModules'> {
  const index = ownFile('index');
  if (index === undefined) return {};
  if (extname(index) === '.ts') return { alias: { assay: index, skillgym: index } };
  // `require` has to have it at once, and most modules that are loaded name it.
  const load = createRequire(import.meta.url);
  const itself = { enumerable: true, get: (): unknown => load(index) };
  return { virtualModules: Object.defineProperties({}, { assay: itself, skillgym: itself }) };
}
