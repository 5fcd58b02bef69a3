import type { Sandbox, SandboxPlace, SandboxSettings } from '../core/sandbox.ts';
import { containerSandbox } from './container.ts';
import { namespaceSandbox } from './namespace.ts';
import { givenLimits } from './resource-limits.ts';

/** The sandbox of some settings; the default is that of ordinary processes. */
export function openSandbox(settings: SandboxSettings, place: SandboxPlace): Sandbox {
  const { level = 'process' } = settings;
  switch (level) {
    case 'process':
      return processSandbox(settings);
    case 'namespace':
      return namespaceSandbox(settings, place);
    case 'container':
      return containerSandbox(settings, place);
    default:
      throw level satisfies never;
  }
}

/** Ordinary processes of the user who started assay. */
function processSandbox(settings: SandboxSettings): Sandbox {
  return {
    level: 'process',
    enter: (start) =>
      Promise.resolve({
        start,
        failureOf: () => Promise.resolve(undefined),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      }),
    unenforced: () => givenLimits(settings),
  };
}
