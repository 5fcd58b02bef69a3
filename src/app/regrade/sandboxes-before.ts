import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { IsolationLevel } from '../../core/isolation-level.ts';
import type { SandboxSettings } from '../../core/sandbox.ts';
import { useTargets } from '../binding/use-targets.ts';

/** The sandboxes of the targets as the config now has them, at the level of their trials. */
export function sandboxesBefore(
  loaded: LoadedConfig,
  levelOf: (target: string) => IsolationLevel,
): (target: string) => SandboxSettings {
  const known = new Map<string, SandboxSettings>();
  return (name) => {
    const level = levelOf(name);
    const found =
      known.get(name) ?? useTargets([name], loaded, { sandbox: level }).targets.get(name)?.sandbox;
    const sandbox = found ?? { ...loaded.config.run.sandbox, level };
    known.set(name, sandbox);
    return sandbox;
  };
}
