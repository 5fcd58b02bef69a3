import { messageOf } from '../core/errors.ts';
import type { Surroundings } from '../app/surroundings.ts';
import { stripControls } from '../lib/text/terminal-text.ts';

/** Opens an address in the browser. A failure is only a warning, because the address was printed before. */
export async function openInBrowser(
  url: string,
  { cwd, environment: env }: Pick<Surroundings, 'cwd' | 'environment'>,
): Promise<void> {
  const { openAddress } = await import('../lib/process/open-address.ts');
  const reason = await openAddress(url, { cwd, env, platform: process.platform });
  if (reason === undefined) return;
  process.stderr.write(`cannot open a browser: ${stripControls(reason)} (open the address manually)\n`);
}

/** Tells of a request that failed by a fault of the server. */
export function tellOfFault(fault: unknown): void {
  process.stderr.write(`a request failed: ${stripControls(messageOf(fault))}\n`);
}

/** Resolves at the first Ctrl-C, SIGTERM or SIGHUP. The next one ends the process at once. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
