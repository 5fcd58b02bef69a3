import { spawnChild } from './spawn-child.ts';

export interface OpenPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
}

/** Opens an address in the person's browser, which outlives this process. Returns the reason when that fails. */
export async function openAddress(address: string, place: OpenPlace): Promise<string | undefined> {
  const { cwd, env, platform } = place;
  const command = [...openerOn(platform), address];
  const spawned = await spawnChild({ command, cwd, env }, new AbortController().signal);
  if ('failure' in spawned) return spawned.failure.message;
  const { child } = spawned;
  // Its output is read, so that it never blocks, and does not keep this process alive.
  for (const stream of [child.stdout, child.stderr]) stream?.resume();
  child.unref();
  return undefined;
}

function openerOn(platform: NodeJS.Platform): readonly string[] {
  if (platform === 'darwin') return ['open'];
  // `start` is a shell built-in; its first argument is the title of a window.
  return platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
}
