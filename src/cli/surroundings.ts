import { takeEnvironment } from '../app/config.ts';
import { type OwnStoreDoor, storeDoor } from '../app/store-door.ts';
import type { Surroundings } from '../app/surroundings.ts';

const doors = new Set<OwnStoreDoor>();

/** The environment of this process, in the form that `app` takes. `prefers`: as of `--stored`. */
export function surroundings(prefers?: 'store' | undefined): Surroundings {
  const around = {
    cwd: process.cwd(),
    environment: takeEnvironment(),
    now: Date.now,
    commandLine: process.argv.slice(2),
    ...(prefers === undefined ? {} : { prefers }),
  };
  const store = storeDoor(around);
  doors.add(store);
  return { ...around, store };
}

/** Closes the stores that commands of this process have opened. */
export async function closeStores(): Promise<void> {
  const open = [...doors];
  doors.clear();
  for (const door of open) await door.close();
}
