import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** The arguments with a path that are files of this machine. */
export function namedFiles(args: readonly string[]): readonly string[] {
  return args.filter((argument) => argument.startsWith('/') && isThere(argument));
}

/**
 * The same arguments, with files of the config's folder as absolute paths: a program in a sandbox is not started in that
 * folder. `./agent.mjs` becomes `/project/agent.mjs`, unless `cwd` has such a file too.
 */
export function rootedFiles(
  args: readonly string[],
  { directory, cwd }: { readonly directory: string; readonly cwd: string },
): readonly string[] {
  return args.map((argument) => {
    if (!/^\.\.?\//.test(argument) || isThere(resolve(cwd, argument))) return argument;
    const rooted = resolve(directory, argument);
    return isThere(rooted) ? rooted : argument;
  });
}

function isThere(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isDirectory();
}
