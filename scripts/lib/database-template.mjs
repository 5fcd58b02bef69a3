// An embedded database without rows, packed: to make and to migrate one takes seconds, to unpack one does not. Made once
// per version of PGlite and of the schema.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createJiti } from 'jiti';
import { cache, inRoot } from './paths.mjs';

/** The path of the packed database; undefined where the optional package is not installed. */
export async function databaseTemplate() {
  const manifest = inRoot('node_modules/@electric-sql/pglite/package.json');
  if (!existsSync(manifest)) return undefined;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const source = createJiti(import.meta.url);
  const { ownMigrations } = await source.import(inRoot('src/storage/database/migrations.ts'));
  const checksums = ownMigrations().map(({ checksum }) => checksum);
  const schema = createHash('sha256').update(checksums.join()).digest('hex').slice(0, 12);
  const file = join(cache, `database-template-${version}-${schema}.tgz`);
  if (!existsSync(file)) await make(file, source);
  return file;
}

async function make(file, source) {
  const { migrate } = await source.import(inRoot('src/storage/database/migrate.ts'));
  const { PGlite } = await import('@electric-sql/pglite');
  const database = await PGlite.create();
  await migrate(migratable(database));
  // Else each first start would read the write-ahead log.
  await database.exec('checkpoint');
  const packed = await database.dumpDataDir('gzip');
  await database.close();
  mkdirSync(cache, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, Buffer.from(await packed.arrayBuffer()));
  renameSync(draft, file);
}

/** As much of a database as migrations need. */
function migratable(database) {
  const queries = {
    query: async (sql, parameters = []) => (await database.query(sql, [...parameters])).rows,
    script: (sql) => database.exec(sql),
  };
  const transaction = async (work) => {
    await database.exec('begin');
    const result = await work(queries);
    await database.exec('commit');
    return result;
  };
  return { ...queries, kind: 'embedded', place: 'the template', transaction };
}
