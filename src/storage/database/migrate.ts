import { AssayError } from '../../core/errors.ts';
import type { MigrationState } from '../../core/store-upkeep.ts';
import type { Database, Queries } from './database.ts';
import { type Migration, ownMigrations } from './migrations.ts';

/**
 * Applies missing migrations, each in its own transaction. Returns the applied ones. Concurrent processes
 * wait for each other. Throws `migration-changed` or `database-newer`.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = ownMigrations(),
): Promise<readonly Migration[]> {
  await database.transaction(async (queries) => {
    await alone(queries);
    await queries.script(MIGRATION_TABLE);
  });
  const applied: Migration[] = [];
  for (const migration of migrations) {
    await database.transaction(async (queries) => {
      await alone(queries);
      const before = await appliedTo(queries);
      refuseForeign(before, migrations, database.place);
      if (before.some(({ number }) => number === migration.number)) return;
      await queries.script(migration.sql);
      await queries.query('insert into schema_migration (number, name, checksum) values ($1, $2, $3)', [
        migration.number,
        migration.name,
        migration.checksum,
      ]);
      applied.push(migration);
    });
  }
  return applied;
}

/** The states of all migrations. Throws `migration-changed` or `database-newer`. */
export async function migrationStates(
  database: Database,
  migrations: readonly Migration[] = ownMigrations(),
): Promise<readonly MigrationState[]> {
  const applied = await appliedTo(database);
  refuseForeign(applied, migrations, database.place);
  const times = new Map(applied.map(({ number, applied_at: appliedAt }) => [number, appliedAt]));
  return migrations.map(({ number, name }) => {
    const appliedAt = times.get(number);
    return { number, name, ...(appliedAt === undefined ? {} : { appliedAt }) };
  });
}

interface Applied extends Readonly<Record<string, unknown>> {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly applied_at: string;
}

const MIGRATION_TABLE = `
  create table if not exists schema_migration (
    number integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp()
  )`;

/** The lock is held until the end of the transaction. */
async function alone({ query }: Queries): Promise<void> {
  await query('set local lock_timeout to 0');
  await query(`select pg_advisory_xact_lock(hashtext('assay migrations'))`);
}

async function appliedTo({ query }: Queries): Promise<readonly Applied[]> {
  const [there] = await query<{ table: string | null }>(
    `select to_regclass('schema_migration')::text as table`,
  );
  if (there?.table == null) return [];
  return query<Applied>('select number, name, checksum, applied_at from schema_migration order by number');
}

function refuseForeign(applied: readonly Applied[], migrations: readonly Migration[], place: string): void {
  for (const { number, name, checksum } of applied) {
    const own = migrations.find((migration) => migration.number === number);
    if (own === undefined) throw newer(place, number, name);
    if (own.checksum !== checksum) throw changed(place, number, name);
  }
}

function newer(place: string, number: number, name: string): AssayError {
  return new AssayError(
    'database-newer',
    `${place} has migration ${number} (${name}), which this version of assay does not know`,
    { stage: 'plan', hint: 'update assay' },
  );
}

function changed(place: string, number: number, name: string): AssayError {
  return new AssayError(
    'migration-changed',
    `migration ${number} (${name}) in ${place} differs from the one in this version of assay`,
    { stage: 'plan', hint: 'use the version of assay that migrated the database, or restore a backup' },
  );
}
