import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { AssayError, messageOf } from '../core/errors.ts';
import { CONFIG_NAMES } from '../authoring/config/find-config.ts';
import { makeDirectory } from '../lib/files/make-directory.ts';
import { schemaText } from './schema-text.ts';
import { shellQuote } from '../lib/process/shell-quote.ts';
import { type SchemaPlaces, starterFiles } from './project/starter-files.ts';
import type { Surroundings } from './surroundings.ts';

export interface InitRequest {
  readonly folder: string;
  /** How to treat existing files. */
  readonly mode: 'keep' | 'overwrite';
}

/** Writes a config, an eval and an agent that run immediately. Returns the list of files and the next command. */
export async function initProject(
  { folder, mode }: InitRequest,
  surroundings: Surroundings,
): Promise<string> {
  const directory = resolve(surroundings.cwd, folder);
  const isInstalled = existsSync(join(directory, INSTALLED.suite));
  const starter = starterFiles(isInstalled ? INSTALLED : WRITTEN);
  const there = [...new Set([...starter.keys(), ...CONFIG_NAMES])].filter((name) =>
    existsSync(join(directory, name)),
  );
  if (there.length > 0 && mode === 'keep') throw wouldOverwrite(there);
  const files = new Map([...starter, ...(isInstalled ? [] : await schemas())]);
  for (const [name, content] of files) {
    write(join(directory, name), content);
  }
  return whatNext([...files.keys()], relative(surroundings.cwd, directory), surroundings);
}

/** Paths in the package, if it is a dependency of the folder. */
const INSTALLED: SchemaPlaces = {
  suite: 'node_modules/assay/schema.json',
  config: 'node_modules/assay/config.schema.json',
};

const WRITTEN: SchemaPlaces = {
  suite: '.assay/eval.schema.json',
  config: '.assay/config.schema.json',
};

async function schemas(): Promise<readonly (readonly [string, string])[]> {
  return [
    [WRITTEN.suite, await schemaText('suite')],
    [WRITTEN.config, await schemaText('config')],
  ];
}

function write(file: string, content: string): void {
  try {
    makeDirectory(dirname(file), 0o777);
    writeFileSync(file, content);
  } catch (error) {
    throw new AssayError('folder-unusable', `${file} cannot be written: ${messageOf(error)}`, {
      stage: 'plan',
      hint: 'name a folder that exists or can be created, and is writable',
      cause: error,
    });
  }
}

function wouldOverwrite(there: readonly string[]): AssayError {
  return new AssayError('files-there', `${there.join(', ')} would be overwritten`, {
    stage: 'plan',
    hint: 'choose an empty folder, or overwrite with --force',
  });
}

function whatNext(names: readonly string[], folder: string, { environment }: Surroundings): string {
  const program = environment['npm_command'] === 'exec' ? 'npx assay' : 'assay';
  const typed = /^[\w./-]+$/.test(folder) && !folder.startsWith('-') ? folder : shellQuote(folder);
  const enter = folder === '' ? '' : `cd ${typed} && `;
  return [
    ...names.map((name) => `wrote ${join(folder, name)}`),
    '',
    `Next: ${enter}${program} run`,
    'Then put your own agent into assay.config.yaml and your own questions into evals/.',
    '',
  ].join('\n');
}
