import { dirname } from 'node:path';

import { findConfigs } from '../../../authoring/config/find-config.ts';
import type { Problem } from '../../../core/problem.ts';
import { shownPath } from '../../project/project-root.ts';

/** Problems with files whose nearest config differs from the first file's. A run has only one config. */
export async function foreignConfigs(files: readonly string[], cwd: string): Promise<readonly Problem[]> {
  const [first, ...others] = files;
  if (first === undefined || others.length === 0) return [];
  const configs = new Map<string, string>();
  const configOf = async (file: string): Promise<string> => {
    const folder = dirname(file);
    const known = configs.get(folder) ?? (await findConfigs(folder, cwd))[0] ?? '';
    configs.set(folder, known);
    return known;
  };
  const own = await configOf(first);
  const problems: Problem[] = [];
  for (const file of others) {
    const config = await configOf(file);
    if (config !== own) problems.push(problemOf(file, config, { first, own, cwd }));
  }
  return problems;
}

interface FirstFile {
  readonly first: string;
  readonly own: string;
  readonly cwd: string;
}

function problemOf(file: string, config: string, { first, own, cwd }: FirstFile): Problem {
  const shown = (path: string) => (path === '' ? 'no config' : shownPath(path, cwd));
  return {
    file: shownPath(file, cwd),
    code: 'config-different',
    message: `uses ${shown(config)}, but ${shownPath(first, cwd)} uses ${shown(own)}; a run can only have one config`,
    hint: 'run them separately, or name one config for all with --config',
  };
}
