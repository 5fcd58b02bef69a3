import { AssayError } from '../core/errors.ts';
import type { PruneChoice } from '../core/pruning.ts';
import type { MigrationState } from '../core/store-upkeep.ts';
import { plural } from '../lib/text/plural.ts';
import { printableLine } from '../lib/text/printable-json.ts';
import { knownMigrations, type MigratedDatabase, migrateAt, statesAt, withUpkeep } from './database.ts';
import { prunedText } from './project/pruned-text.ts';
import { ownedPlace } from './store-place.ts';
import type { Surroundings } from './surroundings.ts';

/** The output of a database command. */
export interface DatabaseOutput {
  readonly text: string;
  readonly json: string;
}

/**
 * Migrates the database to the schema of this program, and creates it if it does not exist. A running server has
 * migrated its own: throws `store-served` if it is older than this program.
 */
export async function migrateDatabase(surroundings: Surroundings): Promise<DatabaseOutput> {
  const place = await ownedPlace(surroundings);
  if ('server' in place) return await servedMigration(place.server.url, surroundings);
  return migratedOutput(await migrateAt(place));
}

/** Lists the migrations of the database without changing it. */
export async function describeDatabase(surroundings: Surroundings): Promise<DatabaseOutput> {
  const place = await ownedPlace(surroundings);
  if ('server' in place)
    return await withUpkeep(surroundings, async (upkeep) =>
      statusOf(upkeep.place, await upkeep.migrations()),
    );
  const { database, migrations } = await statesAt(place);
  if (migrations !== undefined) return statusOf(database, migrations);
  return {
    text: `${database} does not exist yet: assay db migrate or assay cases import creates it\n`,
    json: printableLine({ database, migrations: knownMigrations() }),
  };
}

/** Recomputes trials, grades and totals of all runs from their logs. */
export async function rebuildDatabase(surroundings: Surroundings): Promise<DatabaseOutput> {
  return await withUpkeep(surroundings, async ({ place, rebuild }) => {
    const { runs, skipped } = await rebuild();
    const lines = skipped.map((id) => `skipped ${id}: it is being written\n`);
    return {
      text: `${lines.join('')}rebuilt ${plural(runs, 'run')} in ${place}\n`,
      json: printableLine({ database: place, runs, skipped }),
    };
  });
}

/** Removes archived runs whole; runs that somebody or another run needs stay. */
export async function pruneDatabase(
  choice: PruneChoice,
  surroundings: Surroundings,
): Promise<DatabaseOutput> {
  return await withUpkeep(surroundings, async ({ place, prune }) => {
    const pruned = await prune(choice);
    return { text: prunedText(pruned, choice), json: printableLine({ database: place, ...pruned }) };
  });
}

async function servedMigration(url: string, surroundings: Surroundings): Promise<DatabaseOutput> {
  return await withUpkeep(surroundings, async (upkeep) => {
    const applied = new Set((await upkeep.migrations()).map(({ number }) => number));
    if (knownMigrations().some(({ number }) => !applied.has(number))) throw servedByOlder(url);
    return migratedOutput({ database: upkeep.place, isNew: false, applied: [] });
  });
}

function servedByOlder(url: string): AssayError {
  return new AssayError('store-served', `an older version of assay serves this database at ${url}`, {
    stage: 'plan',
    hint: 'stop that server, then run assay db migrate again',
  });
}

function migratedOutput({ database, isNew, applied }: MigratedDatabase): DatabaseOutput {
  const lines = isNew
    ? [`created ${database} with ${plural(applied.length, 'migration')}\n`]
    : applied.map(({ number, name }) => `applied ${number} ${name}\n`);
  return {
    text: `${lines.join('')}${database} is up to date\n`,
    json: printableLine({ database, created: isNew, applied }),
  };
}

function statusOf(place: string, migrations: readonly MigrationState[]): DatabaseOutput {
  const missing = migrations.filter(({ appliedAt }) => appliedAt === undefined).length;
  const lines = migrations.map(
    ({ number, name, appliedAt }) =>
      `${number} ${name}: ${appliedAt === undefined ? 'missing' : `applied ${appliedAt}`}\n`,
  );
  const verdict =
    missing === 0 ? 'is up to date' : `lacks ${plural(missing, 'migration')}: run assay db migrate`;
  return {
    text: `${lines.join('')}${place} ${verdict}\n`,
    json: printableLine({ database: place, migrations }),
  };
}
