import { containerFault, type CheckedSandbox } from './check-container.ts';
import { namespaceFault } from './check-namespace.ts';
import type { Unavailable } from './unavailable.ts';

/** Why this machine cannot run a sandbox; undefined when it can. Rejects when the signal aborts. */
export async function sandboxFault(
  checked: CheckedSandbox,
  signal: AbortSignal,
): Promise<Unavailable | undefined> {
  const { level = 'process' } = checked.settings;
  switch (level) {
    case 'process':
      return undefined;
    case 'namespace':
      return await namespaceFault(checked.place, signal);
    case 'container':
      return await containerFault(checked, signal);
    default:
      throw level satisfies never;
  }
}
