import { resolve } from 'node:path';

import type { LoadedConfig } from '../../../authoring/config/load-config.ts';
import { moduleDigest } from '../../../authoring/code/module-digest.ts';
import { importProblem } from '../../../authoring/import-problem.ts';
import type { Problem } from '../../../core/problem.ts';
import { isObject } from '../../../lib/json.ts';
import { importModule } from '../../../lib/modules/import-module.ts';
import type { DefinedWorld } from '../../../world/define-world.ts';
import type { WorldsByTool, RegisteredWorld } from '../../binding/machine.ts';
import { shownPath } from '../../project/project-root.ts';

/** Loads the world modules of the config, with all their problems. */
export async function loadWorlds(
  loaded: Pick<LoadedConfig, 'config' | 'directory'> | undefined,
  cwd: string,
): Promise<{ readonly worldsByTool: WorldsByTool; readonly problems: readonly Problem[] }> {
  const worldsByTool = new Map<string, RegisteredWorld>();
  const problems: Problem[] = [];
  for (const written of new Set(loaded?.config.worlds)) {
    const path = resolve(loaded?.directory ?? cwd, written);
    const found = await loadOne(path, shownPath(path, cwd));
    if ('problem' in found) {
      problems.push(found.problem);
      continue;
    }
    for (const name of Object.keys(found.world.tools)) {
      const other = worldsByTool.get(name);
      if (other !== undefined) problems.push(ambiguous(name, found.file, other.file));
      worldsByTool.set(name, found);
    }
  }
  return { worldsByTool, problems };
}

async function loadOne(path: string, file: string): Promise<RegisteredWorld | { readonly problem: Problem }> {
  let exported: unknown;
  try {
    exported = (await importModule(path))['default'];
  } catch (error) {
    const codes = { syntax: 'world-load-failed', load: 'world-load-failed' } as const;
    return { problem: importProblem(error, { path, file, codes }) };
  }
  if (isWorld(exported)) return { file, digest: moduleDigest(path), world: exported };
  return {
    problem: {
      file,
      code: 'world-invalid',
      message: 'the default export must have a function `state` and functions in `tools`',
      hint: 'export default defineWorld({ state: () => ({}), tools: { ... } })',
    },
  };
}

function isWorld(value: unknown): value is DefinedWorld {
  if (!isObject(value) || typeof value['state'] !== 'function') return false;
  const { tools } = value;
  return isObject(tools) && Object.values(tools).every((tool) => typeof tool === 'function');
}

function ambiguous(name: string, file: string, other: string): Problem {
  return {
    file,
    code: 'world-ambiguous',
    message: `the tool ${name} is also in ${other}, so a mock that names it would be ambiguous`,
    hint: 'rename one of the two',
  };
}
