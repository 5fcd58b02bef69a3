import { GIT_VARIABLES } from '../lib/process/environment.ts';

/**
 * The environment of this process; the one place that reads it. What ties git to a repository is removed from it for
 * good: code of suites and graders runs in this process, and what it starts inherits the rest.
 */
export function takeEnvironment(): Readonly<Record<string, string>> {
  for (const name of GIT_VARIABLES) delete process.env[name];
  return Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}
