import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { SandboxSettings } from '../../core/sandbox.ts';
import { useTargets } from '../binding/use-targets.ts';

/** The sandboxes of the targets as the config now has them, at the level of the run. */
export function sandboxesBefore(
  loaded: LoadedConfig,
  { isolation: level }: Pick<Manifest, 'isolation'>,
): (target: string) => SandboxSettings {
  const known = new Map<string, SandboxSettings>();
  return (name) => {
    const found =
      known.get(name) ?? useTargets([name], loaded, { sandbox: level }).targets.get(name)?.sandbox;
    const sandbox = found ?? { ...loaded.config.run.sandbox, level };
    known.set(name, sandbox);
    return sandbox;
  };
}
