import { takeEnvironment } from '../app/config.ts';
import type { Surroundings } from '../app/surroundings.ts';

/** This process, as the functions of `app` see it. */
export function surroundings(): Surroundings {
  return {
    cwd: process.cwd(),
    environment: takeEnvironment(),
    now: Date.now,
    commandLine: process.argv.slice(2),
  };
}
