import type { StoreUpkeep } from '../../core/store-upkeep.ts';
import { migrationStates } from './migrate.ts';
import { pruneRuns } from './runs/prune.ts';
import { rebuildRuns } from './runs/rebuild.ts';
import type { RunRoom } from './runs/run-room.ts';

/** Looks after a database that this process has opened. */
export function databaseUpkeep({ database, folder, fold }: RunRoom): StoreUpkeep {
  return {
    place: database.place,
    migrations: () => migrationStates(database),
    rebuild: () => rebuildRuns(database, fold),
    prune: (choice) => pruneRuns({ database, folder }, choice),
  };
}
