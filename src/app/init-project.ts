import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { AssayError } from '../core/errors.ts';
import { CONFIG_NAMES } from '../authoring/config/find-config.ts';
import { STARTER_FILES } from './starter-files.ts';
import type { Surroundings } from './run-options.ts';

export interface InitRequest {
  readonly folder: string;
  /** What happens to files that are there already. */
  readonly mode: 'keep' | 'overwrite';
}

/** Writes a config, one eval and one agent that run at once; says what was written and what to type next. */
export async function initProject({ folder, mode }: InitRequest, { cwd }: Surroundings): Promise<string> {
  const directory = resolve(cwd, folder);
  const there = [...STARTER_FILES.keys(), ...CONFIG_NAMES].filter((name) =>
    existsSync(join(directory, name)),
  );
  if (there.length > 0 && mode === 'keep') {
    throw new AssayError('files-there', `${[...new Set(there)].join(', ')} would be overwritten`, {
      stage: 'plan',
      hint: 'choose an empty folder, or overwrite with --force',
    });
  }
  for (const [name, content] of STARTER_FILES) {
    const file = join(directory, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
  }
  const go = relative(cwd, directory);
  const enter = go === '' ? '' : `cd ${go} && `;
  return [
    ...[...STARTER_FILES.keys()].map((name) => `wrote ${join(go, name)}`),
    '',
    `next: ${enter}assay run`,
    'then put your own agent into assay.config.yaml and your own questions into evals/',
    '',
  ].join('\n');
}
