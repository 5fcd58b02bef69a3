import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { IsolationLevel } from '../../core/isolation-level.ts';
import type { SandboxSettings } from '../../core/sandbox.ts';
import { remembering } from '../../lib/text/remembering.ts';
import { useTargets } from '../binding/use-targets.ts';

/** The sandboxes of the targets as the config now has them, at the level of their trials. */
export function sandboxesBefore(
  loaded: LoadedConfig,
  levelOf: (target: string) => IsolationLevel,
): (target: string) => SandboxSettings {
  return remembering(Infinity, (name) => {
    const level = levelOf(name);
    const used = useTargets([name], loaded, { sandbox: level }).targets.get(name);
    return used?.sandbox ?? { ...loaded.config.run.sandbox, level };
  });
}
