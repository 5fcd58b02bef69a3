import { join } from 'node:path';

import { remoteCases, type RemoteCases } from '../api/remote-cases.ts';
import type { CaseStore } from '../core/case-store.ts';
import { AssayError } from '../core/errors.ts';
import type { RunStore } from '../core/run-store.ts';
import { TALLY_FOLD } from '../reading/row-fold.ts';
import type { Store } from '../core/store.ts';
import type { MigrationState, StoreUpkeep } from '../core/store-upkeep.ts';
import type { Database } from '../storage/database/database.ts';
import { databaseCases } from '../storage/database/cases/store.ts';
import { hasDatabase } from '../storage/database/data-folder.ts';
import { embeddedDatabase } from '../storage/database/embedded-database.ts';
import { migrate, migrationStates } from '../storage/database/migrate.ts';
import { endLeases } from '../storage/database/runs/lease.ts';
import { databaseAccounts } from '../storage/database/people/account-store.ts';
import { forgetUnanswered } from '../storage/database/people/idempotency-keys.ts';
import { databaseTokens } from '../storage/database/people/token-store.ts';
import { ownMigrations } from '../storage/database/migrations.ts';
import { serverDatabase, type ServerShare } from '../storage/database/server-database.ts';
import { databaseStore } from '../storage/database/store.ts';
import { databaseUpkeep } from '../storage/database/upkeep.ts';
import { plural } from '../lib/text/plural.ts';
import { databaseAccess, NO_ACCESS, type AccessControl, type AccessReader } from './access/access-control.ts';
import { serverAccess } from './access/server-access.ts';
import { projectFolder } from './project/project-folder.ts';
import { noWorkers } from './running/no-workers.ts';
import { remoteRuns } from './served/remote-runs.ts';
import { serverApi } from './served/server-api.ts';
import { serverUpkeep } from './served/server-upkeep.ts';
import { storeServed } from './served/store-served.ts';
import { askingServer, fetchWith } from './server-client.ts';
import { databasePlace, ownedPlace, storePlace, type DatabasePlace } from './store-place.ts';
import type { Surroundings } from './surroundings.ts';

/** The migrations of this program, none of them applied. */
export function knownMigrations(): readonly MigrationState[] {
  return ownMigrations().map(({ number, name }) => ({ number, name }));
}

/** What migrating a database did. */
export interface MigratedDatabase {
  /** Its address. */
  readonly database: string;
  /** Whether it did not exist before. A new embedded one has migrations from the beginning. */
  readonly isNew: boolean;
  /** By this call, or with the database where it is new. */
  readonly applied: readonly MigrationState[];
}

/** Migrates a database, and creates it if it does not exist. */
export async function migrateAt(place: DatabasePlace): Promise<MigratedDatabase> {
  const isNew = 'data' in place && !hasDatabase(place.data);
  return await withDatabaseAt(place, async (database) => {
    const before = isNew ? await migrationStates(database) : [];
    const brought = before.filter(({ appliedAt }) => appliedAt !== undefined);
    const applied = [...brought, ...(await migrate(database))].map(({ number, name }) => ({ number, name }));
    return { database: database.place, isNew, applied };
  });
}

/** The migrations of a database, which is not changed. Without any: it does not exist. */
export async function statesAt(
  place: DatabasePlace,
): Promise<{ readonly database: string; readonly migrations?: readonly MigrationState[] }> {
  if ('data' in place && !hasDatabase(place.data)) return { database: place.data };
  return await withDatabaseAt(place, async (database) => ({
    database: database.place,
    migrations: await migrationStates(database),
  }));
}

/** How a store is opened. */
export interface StoreRequest {
  /** as-it-is: a database without the schema of this program is refused. Default: it is migrated. */
  readonly schema?: 'migrate' | 'as-it-is';
  /** Folder of the project; absent: that of the config above the working directory. */
  readonly folder?: string;
  /** What it may have of a PostgreSQL server; absent: as much as a server of assay. */
  readonly share?: ServerShare;
}

/** Opens the store. Throws `database-outdated`, `data-directory-in-use` and what opening a database throws. */
export async function openStore(
  surroundings: Surroundings,
  { schema = 'migrate', folder: named, share }: StoreRequest = {},
): Promise<Store> {
  const folder = named ?? (await projectFolder(surroundings));
  const database = await databaseAt(databasePlace(folder, surroundings), share);
  try {
    if (schema === 'as-it-is') await refuseUnmigrated(database);
    // Each migration is a transaction, which a start has no time for.
    else if ((await missingMigrations(database)).length > 0) await migrate(database);
    if (database.kind === 'embedded') {
      await endLeases(database);
      await forgetUnanswered(database);
    }
    const settings = { folder: storedFolder(folder), fold: TALLY_FOLD, now: surroundings.now };
    return databaseStore(database, settings);
  } catch (error) {
    await database.close().catch(() => undefined);
    throw error;
  }
}

/** Opens the store for a command. Only an embedded database is created or migrated. */
export async function openOwnStore(
  surroundings: Surroundings,
  request: Pick<StoreRequest, 'share'> = {},
): Promise<Store> {
  const place = await placeOfDatabase(surroundings);
  return await openStore(surroundings, { schema: 'url' in place ? 'as-it-is' : 'migrate', ...request });
}

/** The same. Undefined if the project has none. Throws `store-served` if it belongs to a running server. */
export async function findStore(surroundings: Surroundings): Promise<Store | undefined> {
  const place = await storePlace(surroundings);
  if ('server' in place) throw storeServed(place.server.url);
  return 'data' in place && !hasDatabase(place.data) ? undefined : await openOwnStore(surroundings);
}

/** Opens the store that workers share, also beside a running server. Throws `no-workers` without a PostgreSQL server. */
export async function openSharedStore(surroundings: Surroundings): Promise<Store> {
  if ('data' in (await placeOfDatabase(surroundings))) throw noWorkers();
  return await openOwnStore(surroundings, { share: OF_WORKER });
}

/** A server has 100 connections by default, for all workers. One that is cut off must not keep the others waiting. */
const OF_WORKER: ServerShare = { connections: 4, mostIdleSeconds: 20 };

/** The runs of the server that owns the store, to be read. Undefined if there is no server. */
export async function findServedRuns(surroundings: Surroundings): Promise<RunStore | undefined> {
  const place = await storePlace(surroundings);
  if (!('server' in place)) return undefined;
  return remoteRuns(serverApi(place.server), storedFolder(await projectFolder(surroundings)));
}

/** What commands need of the test cases of a store. */
export type CommandCases = RemoteCases;

/** Works on the stored test cases. An embedded database is created and migrated if needed. */
export async function withCases<T>(
  surroundings: Surroundings,
  work: (cases: CommandCases) => Promise<T>,
): Promise<T> {
  const place = await storePlace(surroundings);
  if ('server' in place) {
    const { server } = place;
    return await askingServer(server, () => work(remoteCases(`${server.url}/api/v1`, fetchWith(server))));
  }
  return await withDatabaseAt(place, async (database) => {
    if (database.kind === 'embedded') await migrate(database);
    else await refuseUnmigrated(database);
    return await work(databaseCases(database));
  });
}

/** The part of the store that reading commands need. */
export type CaseReader = Pick<CaseStore, 'selected' | 'takeWithMocks' | 'called' | 'hasSet' | 'mocks'>;

const NO_CASES: CaseReader = {
  selected: async () => [],
  takeWithMocks: async () => undefined,
  called: async () => [],
  hasSet: async () => false,
  mocks: async () => [],
};

/** Reads the stored test cases. An embedded database that does not exist is not created. */
export async function readCases<T>(
  surroundings: Surroundings,
  work: (cases: CaseReader) => Promise<T>,
): Promise<T> {
  const place = await storePlace(surroundings);
  if ('data' in place && !hasDatabase(place.data)) return await work(NO_CASES);
  return await withCases(surroundings, work);
}

/** Manages accounts and tokens. An embedded database is created and migrated if needed. */
export async function withAccess<T>(
  surroundings: Surroundings,
  work: (access: AccessControl) => Promise<T>,
): Promise<T> {
  const place = await ownedPlace(surroundings);
  if ('server' in place) {
    const { server } = place;
    return await askingServer(server, () => work(serverAccess(`${server.url}/api/v1`, fetchWith(server))));
  }
  return await withDatabaseAt(place, async (database) => {
    if (database.kind === 'embedded') await migrate(database);
    else await refuseUnmigrated(database);
    const rooms = { accounts: databaseAccounts(database), tokens: databaseTokens(database) };
    return await work(databaseAccess(rooms, surroundings.now));
  });
}

/** Reads accounts and tokens. An embedded database that does not exist is not created. */
export async function readAccess<T>(
  surroundings: Surroundings,
  work: (access: AccessReader) => Promise<T>,
): Promise<T> {
  const place = await ownedPlace(surroundings);
  if ('data' in place && !hasDatabase(place.data)) return await work(NO_ACCESS);
  return await withAccess(surroundings, work);
}

/** Looks after the database, or has the server do it that owns it. An embedded one that lacks migrations is refused. */
export async function withUpkeep<T>(
  surroundings: Surroundings,
  work: (upkeep: StoreUpkeep) => Promise<T>,
): Promise<T> {
  const place = await ownedPlace(surroundings);
  if ('server' in place) {
    const { server } = place;
    return await askingServer(server, async () =>
      work(await serverUpkeep(`${server.url}/api/v1`, fetchWith(server))),
    );
  }
  const folder = storedFolder(await projectFolder(surroundings));
  return await withDatabaseAt(place, async (database) => {
    await refuseUnmigrated(database);
    return await work(databaseUpkeep({ database, folder, fold: TALLY_FOLD }));
  });
}

/** Closes the database after the work. If both fail, it throws the error of the work. */
async function withDatabaseAt<T>(place: DatabasePlace, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await databaseAt(place);
  let result: T;
  try {
    if (database.kind === 'embedded') await endOldLeases(database);
    result = await work(database);
  } catch (error) {
    await database.close().catch(() => undefined);
    throw error;
  }
  await database.close();
  return result;
}

/** Files of attempts lie below it. */
function storedFolder(project: string): string {
  return join(project, '.assay/stored');
}

async function databaseAt(place: DatabasePlace, share?: ServerShare): Promise<Database> {
  return 'url' in place ? await serverDatabase(place.url, share) : await embeddedDatabase(place.data);
}

async function endOldLeases(database: Database): Promise<void> {
  if ((await missingMigrations(database)).length === 0) await endLeases(database);
}

async function placeOfDatabase(surroundings: Surroundings): Promise<DatabasePlace> {
  return databasePlace(await projectFolder(surroundings), surroundings);
}

async function missingMigrations(database: Database): Promise<readonly MigrationState[]> {
  return (await migrationStates(database)).filter(({ appliedAt }) => appliedAt === undefined);
}

async function refuseUnmigrated(database: Database): Promise<void> {
  const missing = await missingMigrations(database);
  if (missing.length === 0) return;
  throw new AssayError(
    'database-outdated',
    `${database.place} lacks ${plural(missing.length, 'migration')} of this version of assay`,
    { stage: 'plan', hint: 'run assay db migrate' },
  );
}
