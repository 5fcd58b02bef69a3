import type { StoreUpkeep } from '../core/store-upkeep.ts';
import { given } from '../lib/given.ts';
import type { Handlers } from './operation.ts';

/** Looks after the database of the server. */
export function databaseHandlers(
  upkeep: StoreUpkeep,
): Pick<Handlers, 'getDatabase' | 'rebuildDatabase' | 'pruneDatabase'> {
  const { place: database } = upkeep;
  return {
    getDatabase: async () => {
      const states = await upkeep.migrations();
      const migrations = states.map(({ appliedAt = null, ...named }) => ({
        ...named,
        applied_at: appliedAt,
      }));
      return { database, migrations };
    },
    rebuildDatabase: async () => ({ database, ...(await upkeep.rebuild()) }),
    pruneDatabase: async ({ body: { archived_before: archivedBefore, dry_run: isDryRun } }) => {
      const { leftFolders = [], ...pruned } = await upkeep.prune({ archivedBefore, ...given({ isDryRun }) });
      return { database, ...pruned, left_folders: leftFolders };
    },
  };
}
