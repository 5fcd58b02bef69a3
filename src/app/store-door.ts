import type { RunStore } from '../core/run-store.ts';
import type { Store } from '../core/store.ts';
import type { StoreDoor } from '../core/store-door.ts';
import type { Surroundings } from './surroundings.ts';

/** A door that is closed by its maker. */
export interface OwnStoreDoor extends StoreDoor {
  /** Closes the store if it was opened. */
  close(): Promise<void>;
}

/** The door to the store of a project. What a database needs is loaded when the store is first needed. */
export function storeDoor(surroundings: Omit<Surroundings, 'store'>): OwnStoreDoor {
  let opened: Promise<Store | undefined> | undefined;
  let runs: Promise<RunStore | undefined> | undefined;
  const find = () => (opened ??= import('./database.ts').then(({ findStore }) => findStore(surroundings)));
  return {
    find,
    findRuns: () =>
      (runs ??= import('./database.ts').then(async ({ findServedRuns }) => {
        return (await findServedRuns(surroundings)) ?? (await find())?.runs;
      })),
    async open() {
      const found = await find();
      if (found !== undefined) return found;
      const { openOwnStore } = await import('./database.ts');
      const made = openOwnStore(surroundings);
      opened = made;
      return await made;
    },
    async close() {
      const store = await opened?.catch(() => undefined);
      opened = undefined;
      await store?.close();
    },
  };
}
