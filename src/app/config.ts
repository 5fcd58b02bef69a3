import { GIT_VARIABLES } from '../lib/process/environment.ts';

/**
 * The environment of this process. Only this function reads it. It permanently removes the variables that tie git to a
 * repository, because code of suites and graders runs in this process and its child processes inherit the rest.
 */
export function takeEnvironment(): Readonly<Record<string, string>> {
  for (const name of GIT_VARIABLES) delete process.env[name];
  return Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}
