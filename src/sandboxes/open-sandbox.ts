import type { Sandbox, SandboxPlace, SandboxSettings } from '../core/sandbox.ts';
import { containerSandbox } from './container.ts';
import { namespaceSandbox } from './namespace.ts';

/** The sandbox of some settings; the default is that of ordinary processes. */
export function openSandbox(settings: SandboxSettings, place: SandboxPlace): Sandbox {
  const { level = 'process' } = settings;
  switch (level) {
    case 'process':
      return PROCESS;
    case 'namespace':
      return namespaceSandbox(settings, place);
    case 'container':
      return containerSandbox(settings, place);
    default:
      throw level satisfies never;
  }
}

/** Ordinary processes of the user who started assay. */
const PROCESS: Sandbox = {
  level: 'process',
  enter: (start) =>
    Promise.resolve({
      start,
      failureOf: () => Promise.resolve(undefined),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
};
