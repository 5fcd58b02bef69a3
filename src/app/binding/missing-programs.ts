import { resolve } from 'node:path';

import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { problemAt } from '../../authoring/config/locate.ts';
import { fault, pathLabel } from '../../authoring/yaml/fault.ts';
import type { Problem } from '../../core/problem.ts';
import { isOnPath } from '../../lib/process/is-on-path.ts';
import type { UsedTarget } from './target-pool.ts';

/** Problems with programs of targets that are missing on this machine. Their trials would be errored. */
export function missingPrograms(
  targets: ReadonlyMap<string, UsedTarget>,
  { written, directory, origin }: Pick<LoadedConfig, 'written' | 'directory' | 'origin'>,
): readonly Problem[] {
  return [...targets].flatMap(([name, { settings, plugin, environment }]) =>
    (plugin.programs?.(settings.config) ?? []).flatMap(({ path, program }): readonly Problem[] => {
      const entry = written.get(name);
      if (entry === undefined || isElsewhere(program)) return [];
      const rooted = /^\.{1,2}(?:\/|$)/.test(program) ? resolve(directory, program) : program;
      if (isOnPath(rooted, { cwd: directory, env: environment })) return [];
      const at = entry.place(path);
      const what = program.includes('/')
        ? `${program} is not an executable file`
        : `${program} was not found on PATH`;
      const hint = 'install it, add it to PATH, or correct the command';
      return [problemAt(origin, fault('program-missing', `${pathLabel(at)}: ${what}`, { path: at, hint }))];
    }),
  );
}

/** Whether the program is in the workspace or otherwise only known during a trial. */
function isElsewhere(program: string): boolean {
  return /[{}]/.test(program) || /^[^./][^/]*\//.test(program);
}
