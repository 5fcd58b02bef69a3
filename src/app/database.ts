import { join } from 'node:path';

import type { CaseStore } from '../core/case-store.ts';
import { AssayError } from '../core/errors.ts';
import { TALLY_FOLD } from '../reading/row-fold.ts';
import { databaseCases } from '../storage/database/cases/store.ts';
import type { Database } from '../storage/database/database.ts';
import { hasDatabase } from '../storage/database/data-folder.ts';
import { embeddedDatabase } from '../storage/database/embedded-database.ts';
import { migrate, migrationStates, type MigrationState } from '../storage/database/migrate.ts';
import { ownMigrations } from '../storage/database/migrations.ts';
import { endLeases } from '../storage/database/runs/lease.ts';
import { rebuildRuns } from '../storage/database/runs/rebuild.ts';
import { serverDatabase } from '../storage/database/server-database.ts';
import { plural } from '../lib/text/plural.ts';
import { printableJson } from '../lib/text/printable-json.ts';
import { openConfig } from './project/open-config.ts';
import type { Surroundings } from './surroundings.ts';

/** The output of a database command. */
export interface DatabaseOutput {
  readonly text: string;
  readonly json: string;
}

/** Migrates the database to the schema of this program, and creates it if it does not exist. */
export async function migrateDatabase(surroundings: Surroundings): Promise<DatabaseOutput> {
  return await withDatabase(surroundings, async (database) => {
    const applied = await migrate(database);
    const lines = applied.map(({ number, name }) => `applied ${number} ${name}\n`);
    return {
      text: `${lines.join('')}${database.place} is up to date\n`,
      json: jsonOf({
        database: database.place,
        applied: applied.map(({ number, name }) => ({ number, name })),
      }),
    };
  });
}

/** Lists the migrations of the database without changing it. */
export async function describeDatabase(surroundings: Surroundings): Promise<DatabaseOutput> {
  const place = await placeOfDatabase(surroundings);
  if ('data' in place && !hasDatabase(place.data)) {
    return statusOf(
      place.data,
      ownMigrations().map(({ number, name }) => ({ number, name })),
    );
  }
  return await withDatabase(surroundings, async (database) =>
    statusOf(database.place, await migrationStates(database)),
  );
}

/** Recomputes trials, grades and totals of all runs from their logs. */
export async function rebuildDatabase(surroundings: Surroundings): Promise<DatabaseOutput> {
  return await withDatabase(surroundings, async (database) => {
    await refuseUnmigrated(database);
    const runs = await rebuildRuns(database, TALLY_FOLD);
    return {
      text: `rebuilt ${plural(runs, 'run')} in ${database.place}\n`,
      json: jsonOf({ database: database.place, runs }),
    };
  });
}

/** Works on the test cases of the store; an embedded database is made and migrated where that is needed. */
export async function withCases<T>(
  surroundings: Surroundings,
  work: (cases: CaseStore) => Promise<T>,
): Promise<T> {
  return await withDatabase(surroundings, async (database) => {
    if (database.kind === 'embedded') await migrate(database);
    else await refuseUnmigrated(database);
    return await work(databaseCases(database));
  });
}

/** What a command that changes no case needs of the store. */
export type CaseReader = Pick<CaseStore, 'selected' | 'called' | 'mocks' | 'mocksOf'>;

const NO_CASES: CaseReader = {
  selected: async () => [],
  called: async () => [],
  mocks: async () => [],
  mocksOf: async () => new Map(),
};

/** Reads the test cases of the store; makes no embedded database where it does not exist. */
export async function readCases<T>(
  surroundings: Surroundings,
  work: (cases: CaseReader) => Promise<T>,
): Promise<T> {
  const place = await placeOfDatabase(surroundings);
  if ('data' in place && !hasDatabase(place.data)) return await work(NO_CASES);
  return await withCases(surroundings, work);
}

/** Closes the database when the work ends. An error of the work is thrown rather than one of closing. */
async function withDatabase<T>(
  surroundings: Surroundings,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(surroundings);
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

/** Opens the database of `DATABASE_URL`, else the embedded one. */
async function openDatabase(surroundings: Surroundings): Promise<Database> {
  const place = await placeOfDatabase(surroundings);
  return 'url' in place ? await serverDatabase(place.url) : await embeddedDatabase(place.data);
}

async function endOldLeases(database: Database): Promise<void> {
  const isMigrated = (await migrationStates(database)).every(({ appliedAt }) => appliedAt !== undefined);
  if (isMigrated) await endLeases(database);
}

/** The embedded database lies next to the config, else in the working directory. */
async function placeOfDatabase(
  surroundings: Surroundings,
): Promise<{ readonly url: string } | { readonly data: string }> {
  const { DATABASE_URL: url } = surroundings.environment;
  if (url !== undefined && url !== '') return { url };
  const { loaded } = await openConfig({ file: undefined, start: surroundings.cwd, surroundings });
  return { data: join(loaded?.directory ?? surroundings.cwd, '.assay/data') };
}

async function refuseUnmigrated(database: Database): Promise<void> {
  const missing = (await migrationStates(database)).filter(({ appliedAt }) => appliedAt === undefined);
  if (missing.length === 0) return;
  throw new AssayError(
    'database-outdated',
    `${database.place} lacks ${plural(missing.length, 'migration')} of this version of assay`,
    { stage: 'plan', hint: 'run assay db migrate' },
  );
}

function statusOf(place: string, migrations: readonly MigrationState[]): DatabaseOutput {
  const missing = migrations.filter(({ appliedAt }) => appliedAt === undefined).length;
  const lines = migrations.map(
    ({ number, name, appliedAt }) =>
      `${number} ${name}: ${appliedAt === undefined ? 'missing' : `applied ${appliedAt}`}\n`,
  );
  const verdict =
    missing === 0 ? 'is up to date' : `lacks ${plural(missing, 'migration')}: run assay db migrate`;
  return { text: `${lines.join('')}${place} ${verdict}\n`, json: jsonOf({ database: place, migrations }) };
}

const jsonOf = (value: unknown): string => `${printableJson(value)}\n`;
