import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { GraderServices } from '../../core/plugin.ts';
import type { IsolationLevel } from '../../core/isolation-level.ts';
import { openSandbox } from '../../sandboxes/open-sandbox.ts';

/** The sandboxes of graders: each has the level of the target that is graded. */
export function graderSandboxes(
  { directory, environment: operatorEnvironment }: Pick<LoadedConfig, 'directory' | 'environment'>,
  levelOf: (target: string) => IsolationLevel,
): NonNullable<GraderServices['sandboxFor']> {
  return (target, settings) =>
    openSandbox({ ...settings, level: levelOf(target) }, { directory, operatorEnvironment });
}
