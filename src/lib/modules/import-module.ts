import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';

import type { JitiOptions } from 'jiti';

import { isObject } from '../json.ts';
import { settleForeignCode } from './foreign-code.ts';
import { keptTransform, LOADER_OPTIONS } from './kept-transform.ts';
import { moduleLoader } from './module-loader.ts';
import { ownFile } from './own-file.ts';

/**
 * The exports of a person's module, in TypeScript or JavaScript; `assay` in it is this running program. Also rejects
 * with uncaught errors of its code, and when it calls `process.exit`.
 */
export async function importModule(path: string, limitMs = LOAD_LIMIT_MS): Promise<Exports> {
  const limit = limited(limitMs);
  const loading = settleForeignCode(path, async () => {
    const exports = await importIntoOwnProcess(path);
    // Node reports unhandled rejections after all waiting work has run.
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

/** The same in a separate process, where the code may do anything. */
export async function importIntoOwnProcess(path: string): Promise<Exports> {
  const { createJiti } = moduleLoader();
  const options = { ...LOADER_OPTIONS, ...ourselves(), transform: keptTransform(path) };
  const jiti = createJiti(pathToFileURL(path).href, options);
  return asModule(await jiti.import(path));
}

type Exports = Readonly<Record<string, unknown>>;

/** CommonJS exports one value: the default export, unless it was compiled from a module. */
function asModule(exported: unknown): Exports {
  const whole = types.isModuleNamespaceObject(exported) ? (exported as Exports)['default'] : exported;
  if (isObject(whole) && whole['__esModule'] === true) return whole;
  if (whole !== exported) return exported as Exports;
  if (!isObject(exported)) return { default: exported };
  const keys = Object.keys(exported);
  return keys.length === 0 ? exported : { ...exported, default: exported };
}

let loads = 0;

/** Whether a module is being loaded: no measurement can be lost yet. */
export function isLoadingModule(): boolean {
  return loads > 0;
}

const LOAD_LIMIT_MS = 60_000;

/** Rejects after the time limit, or when this process has nothing left to wait for. */
function limited(limitMs: number): { readonly met: Promise<never>; callOff(): void } {
  let callOff = (): void => {};
  const met = new Promise<never>((_, reject) => {
    const onIdle = () =>
      reject(new LoadingNeverEnds('loading never ends, because a top-level await never settles'));
    const timer = setTimeout(
      () => reject(new LoadingNeverEnds(`loading timed out after ${limitMs / 1000} s`)),
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

/** `assay` in a module is this running program. */
function ourselves(): Pick<JitiOptions, 'alias' | 'virtualModules'> {
  const index = ownFile('index');
  if (index === undefined) return {};
  if (extname(index) === '.ts') return { alias: { assay: index, skillgym: index } };
  // `require` needs it at once, and most loaded modules use it.
  const load = createRequire(import.meta.url);
  const itself = { enumerable: true, get: (): unknown => load(index) };
  return { virtualModules: Object.defineProperties({}, { assay: itself, skillgym: itself }) };
}
