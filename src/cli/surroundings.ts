import { takeEnvironment } from '../app/config.ts';
import type { Surroundings } from '../app/surroundings.ts';

/** The environment of this process, in the form that `app` takes. */
export function surroundings(): Surroundings {
  return {
    cwd: process.cwd(),
    environment: takeEnvironment(),
    now: Date.now,
    commandLine: process.argv.slice(2),
  };
}
