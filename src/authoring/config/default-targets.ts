import { basename } from 'node:path';

import type { Problem } from '../../core/problem.ts';
import { fault, type Fault } from '../yaml/fault.ts';
import { expand } from './expand.ts';
import { meantTargets } from './meant-targets.ts';
import type { LoadedConfig } from './load-config.ts';
import { problemAt } from './locate.ts';
import { isStoredRun, unknownTarget } from './references.ts';

export interface DefaultTargets {
  readonly names: readonly string[];
  readonly problems: readonly Problem[];
}

/** The targets of a suite that names none. Code suites use every target whose agent works in a directory. */
export function defaultTargets(loaded: LoadedConfig, suites: 'code' | 'data'): DefaultTargets {
  const refuse = (...faults: Fault[]): DefaultTargets => ({
    names: [],
    problems: faults.map((found) => problemAt(loaded.origin, found)),
  });
  const all = [...loaded.written.keys()];
  const names = [...loaded.written.values()].flatMap(({ name, variant }) =>
    variant === undefined ? [name] : [],
  );
  if (loaded.config.target !== undefined) {
    const { value, faults } = expand(loaded.config.target, loaded.environment, ['target']);
    if (faults.length > 0) return refuse(...faults);
    const known = all.includes(value) || isStoredRun(value);
    return known
      ? { names: meantTargets([value], loaded.written), problems: [] }
      : refuse(unknownTarget(value, all, ['target']));
  }
  if (names.length === 1) return { names: meantTargets(names, loaded.written), problems: [] };
  const agents = names.filter(
    (name) => loaded.plugins.get(String(loaded.written.get(name)?.keys['type']))?.needsWorkspace,
  );
  if (suites === 'code' && agents.length > 0)
    return { names: meantTargets(agents, loaded.written), problems: [] };
  return refuse(names.length === 0 ? noTarget(loaded) : noDefault(names));
}

function noTarget({ file, publishedFile }: LoadedConfig): Fault {
  if (publishedFile !== undefined) {
    const newName = basename(publishedFile).replace('skillgym', 'assay');
    const hint = `rename it to ${newName} (its runners become targets)`;
    return fault('no-target', `no target is configured: assay does not read ${publishedFile}`, { hint });
  }
  if (file === undefined) {
    const message = 'no target is configured: there is no assay.config.yaml in this folder or above it';
    return fault('no-target', message, { hint: 'run `assay init` to create a config, an eval and an agent' });
  }
  const hint = 'add one under `targets`, such as  mine: { type: mock, response: hello }';
  return fault('no-target', 'no target is configured', { hint });
}

function noDefault(names: readonly string[]): Fault {
  const message = `the suite names no target, but several are configured: ${names.join(', ')}`;
  return fault('no-default-target', message, {
    path: ['targets'],
    at: 'key',
    hint: 'set `target`, or use --target',
  });
}
