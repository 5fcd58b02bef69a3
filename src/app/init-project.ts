import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { CONFIG_NAMES } from '../authoring/config/find-config.ts';
import { schemaText } from './schema-text.ts';
import { shellQuote } from '../lib/process/shell-quote.ts';
import { writeNewFiles } from './project/new-files.ts';
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
  const files = new Map([...starter, ...(isInstalled ? [] : await schemas())]);
  writeNewFiles({ directory, files, mode, mustBeNew: [...starter.keys(), ...CONFIG_NAMES] });
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
