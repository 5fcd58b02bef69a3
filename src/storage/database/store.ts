import type { Store } from '../../core/store.ts';
import { databaseAgents } from './agents/store.ts';
import { databaseBaselines } from './baselines/store.ts';
import { databaseHistory } from './cases/history.ts';
import { databaseCases } from './cases/store.ts';
import type { Database } from './database.ts';
import { databaseMetrics } from './metrics/store.ts';
import { databaseAccounts } from './people/account-store.ts';
import { databaseKeys } from './people/idempotency-keys.ts';
import { databaseSessions } from './people/session-store.ts';
import { databaseTokens } from './people/token-store.ts';
import { databaseCancels } from './runs/cancels.ts';
import { databaseQueue } from './queue/store.ts';
import { databaseListings } from './runs/listings.ts';
import { databaseReviews } from './reviews/store.ts';
import type { RunRoom } from './runs/run-room.ts';
import { databaseRuns } from './runs/store.ts';
import { databaseSets } from './sets/store.ts';
import { databaseUpkeep } from './upkeep.ts';
import { databaseUploads } from './uploads/store.ts';

/** What a store needs besides its database. */
export interface StoreSettings extends Pick<RunRoom, 'folder' | 'fold'> {
  /** Milliseconds since 1970. */
  now(): number;
}

/** The rooms of a database that has its schema. */
export function databaseStore(database: Database, { folder, fold, now }: StoreSettings): Store {
  return {
    place: database.place,
    cases: databaseCases(database),
    history: databaseHistory(database),
    sets: databaseSets(database),
    agents: databaseAgents(database),
    runs: databaseRuns({ database, folder, fold }),
    listings: databaseListings(database),
    cancels: databaseCancels(database),
    ...(database.login === undefined
      ? {}
      : { queue: databaseQueue({ database, folder, fold }, database.login) }),
    uploads: databaseUploads({ database, folder, fold }),
    reviews: databaseReviews(database),
    baselines: databaseBaselines(database),
    metrics: databaseMetrics(database),
    accounts: databaseAccounts(database),
    tokens: databaseTokens(database),
    sessions: databaseSessions(database),
    idempotency: databaseKeys(database, now),
    upkeep: databaseUpkeep({ database, folder, fold }),
    async ready() {
      await database.query('select 1');
    },
    close: () => database.close(),
  };
}
