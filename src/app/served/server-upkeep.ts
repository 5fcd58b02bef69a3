import { apiClient, apiSender } from '../../api/client.ts';
import type { StoreUpkeep } from '../../core/store-upkeep.ts';
import { given } from '../../lib/given.ts';

/** The database of the server with this base address of its API. An older server may lack fields of its answers. */
export async function serverUpkeep(base: string, ask: typeof fetch): Promise<StoreUpkeep> {
  const send = apiSender(base, ask);
  const { database: place, migrations = [] } = await apiClient(base, ask)<'getDatabase'>('/database', {
    path: {},
  });
  return {
    place,
    migrations: async () =>
      migrations.map(({ applied_at: appliedAt, ...named }) => ({
        ...named,
        ...given({ appliedAt: appliedAt ?? undefined }),
      })),
    async rebuild() {
      const { answer } = await send<'rebuildDatabase'>(['POST', '/database/rebuild'], { path: {} });
      const { runs, skipped = [] } = answer;
      return { runs, skipped };
    },
    async prune({ archivedBefore, isDryRun }) {
      const body = { archived_before: archivedBefore, ...given({ dry_run: isDryRun }) };
      const { answer } = await send<'pruneDatabase'>(['POST', '/database/prune'], { path: {}, body });
      const { runs, kept = [], bytes = 0, left_folders: leftFolders = [] } = answer;
      return { runs, kept, bytes, ...(leftFolders.length === 0 ? {} : { leftFolders }) };
    },
  };
}
