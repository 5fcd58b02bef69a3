import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { GraderServices } from '../../core/plugin.ts';
import type { SandboxSettings } from '../../core/sandbox.ts';
import { openSandbox } from '../../sandboxes/open-sandbox.ts';

/** The sandboxes of graders: each has the level and the image of the target that is graded. */
export function graderSandboxes(
  { directory, environment: operatorEnvironment }: Pick<LoadedConfig, 'directory' | 'environment'>,
  settingsOf: (target: string) => SandboxSettings,
): NonNullable<GraderServices['sandboxFor']> {
  return (target, settings) =>
    openSandbox(
      { ...settingsOf(target), mountAgent: false, ...settings },
      { directory, operatorEnvironment },
    );
}
