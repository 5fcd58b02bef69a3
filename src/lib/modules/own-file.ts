import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Path of a file of assay by its place in `src` without extension: next to the bundle in a build, else the source.
 * Every name except `index` is an entry of the build.
 */
export function ownFile(name: string): string | undefined {
  return ownPlace(`${name}${EXTENSION}`);
}

/** The same of anything else that the build copies, such as a folder. */
export function ownPlace(name: string): string | undefined {
  for (let folder = dirname(HERE); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, name);
    if (existsSync(path)) return path;
  }
  return undefined;
}

/** Files and folders that programs of assay need besides Node. */
export function ownPlaces(): readonly string[] {
  const index = ownFile('index');
  const jiti = createRequire(import.meta.url).resolve('jiti/package.json');
  return [...(index === undefined ? [] : [dirname(index)]), dirname(jiti)];
}

/** Arguments that start such a file as a program. */
export function ownProgram(name: string): readonly string[] {
  const register = EXTENSION === '.ts' ? ['--import', sourceLoader()] : [];
  const file = ownFile(name);
  if (file === undefined)
    throw new Error(`${name}${EXTENSION} is missing from this installation: install assay again`);
  return [process.execPath, ...register, file];
}

const HERE = fileURLToPath(import.meta.url);
const EXTENSION = extname(HERE);

function sourceLoader(): string {
  const jiti = createRequire(import.meta.url).resolve('jiti/package.json');
  return join(dirname(jiti), 'lib', 'jiti-register.mjs');
}
