import type { SandboxPlace, SandboxSettings } from '../core/sandbox.ts';
import { containerFault } from './check-container.ts';
import { namespaceFault } from './check-namespace.ts';
import type { Unavailable } from './unavailable.ts';

/** Why this machine cannot run a sandbox with these settings; undefined when it can. */
export async function sandboxFault(
  settings: SandboxSettings,
  place: SandboxPlace,
  signal: AbortSignal,
): Promise<Unavailable | undefined> {
  const { level = 'process' } = settings;
  switch (level) {
    case 'process':
      return undefined;
    case 'namespace':
      return await namespaceFault(place, signal);
    case 'container':
      return await containerFault(settings, place, signal);
    default:
      throw level satisfies never;
  }
}
