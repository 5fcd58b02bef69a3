import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe } from 'vitest';

import type { Database } from '../../src/storage/database/database.ts';
import { embeddedDatabase } from '../../src/storage/database/embedded-database.ts';
import { migrate } from '../../src/storage/database/migrate.ts';
import { serverDatabase } from '../../src/storage/database/server-database.ts';
import { startPostgres } from './postgres-server.ts';

/** A database that tests have for themselves. */
export interface OpenedDatabase {
  readonly database: Database;
  /** Removes it. */
  end(): Promise<void>;
}

/** Both databases, each empty and without a schema when it is opened. */
export const DATABASES: readonly { readonly name: string; readonly open: () => Promise<OpenedDatabase> }[] = [
  { name: 'a PostgreSQL server', open: openServer },
  { name: 'the embedded database', open: openEmbedded },
];

/** The same tests on both; each begins with the schema and without rows. */
export function onBothDatabases(name: string, block: (database: () => Database) => void): void {
  describe.each(DATABASES)(`${name}, on $name`, ({ open }) => {
    let opened: OpenedDatabase;
    beforeAll(async () => {
      opened = await open();
      await migrate(opened.database);
    });
    beforeEach(() => emptied(opened.database));
    afterAll(() => opened.end());
    block(() => opened.database);
  });
}

async function emptied(database: Database): Promise<void> {
  const tables = await database.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables
     where schemaname = 'public' and tablename <> 'schema_migration'`,
  );
  await database.transaction(async ({ script }) => {
    // Neither triggers nor references are asked: emptying each table as a whole takes a second.
    await script('set local session_replication_role = replica');
    await script(tables.map(({ name }) => `delete from ${name}`).join('; '));
  });
}

async function openServer(): Promise<OpenedDatabase> {
  const server = await startPostgres();
  const database = await serverDatabase(server.url('postgres'));
  return {
    database,
    async end() {
      await database.close();
      await server.stop();
    },
  };
}

async function openEmbedded(): Promise<OpenedDatabase> {
  const data = mkdtempSync(join(tmpdir(), 'assay-embedded-'));
  await prepare(data);
  const database = await embeddedDatabase(data);
  return {
    database,
    async end() {
      await database.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Puts an empty embedded database into a folder: making one takes seconds, copying one does not. */
export async function prepare(data: string): Promise<void> {
  const kept = join(CACHE, `embedded-${pgliteVersion()}`);
  if (!existsSync(kept)) {
    mkdirSync(CACHE, { recursive: true });
    const draft = mkdtempSync(join(CACHE, 'embedded-draft-'));
    await (await embeddedDatabase(draft)).close();
    try {
      renameSync(draft, kept);
    } catch {
      // Another thread was faster.
      rmSync(draft, { recursive: true, force: true });
    }
  }
  cpSync(kept, data, { recursive: true });
}

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, '.cache');

function pgliteVersion(): string {
  const text = readFileSync(join(ROOT, 'node_modules/@electric-sql/pglite/package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
