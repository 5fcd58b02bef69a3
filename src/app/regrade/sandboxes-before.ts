import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { IsolationLevel } from '../../core/isolation-level.ts';
import type { SandboxSettings } from '../../core/sandbox.ts';
import { useTargets } from '../binding/use-targets.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { StoredRun } from '../../core/run-store.ts';

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

/** The level of each target in a stored run, which may be a stronger one than that of the whole run. */
export async function storedLevels(
  run: StoredRun,
  { isolation }: Manifest,
): Promise<(target: string) => IsolationLevel> {
  const levels = new Map<string, IsolationLevel>();
  for await (const row of run.rows()) if (row.isolation !== undefined) levels.set(row.target, row.isolation);
  return (target) => levels.get(target) ?? isolation;
}
