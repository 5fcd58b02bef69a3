import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, inject } from 'vitest';

import { issueToken } from '../../src/app/access/api-token.ts';
import { sha256 } from '../../src/lib/digest.ts';
import type { Database } from '../../src/storage/database/database.ts';
import { embeddedDatabase } from '../../src/storage/database/embedded-database.ts';
import { migrate } from '../../src/storage/database/migrate.ts';
import { ownMigrations } from '../../src/storage/database/migrations.ts';
import { databaseAccounts } from '../../src/storage/database/people/account-store.ts';
import { databaseTokens } from '../../src/storage/database/people/token-store.ts';
import { serverDatabase } from '../../src/storage/database/server-database.ts';

/** A database that tests have for themselves. */
export interface OpenedDatabase {
  readonly database: Database;
  /** Removes it. */
  end(): Promise<void>;
}

/** Both databases, each empty and without a schema when it is opened. */
export const DATABASES: readonly { readonly name: string; readonly open: () => Promise<OpenedDatabase> }[] = [
  { name: 'a PostgreSQL server', open: () => openServer('empty') },
  { name: 'the embedded database', open: () => openEmbedded(tmpdir()) },
];

/** The same, with the schema. */
const MIGRATED: typeof DATABASES = [
  { name: 'a PostgreSQL server', open: () => openServer('migrated') },
  { name: 'the embedded database', open: openShared },
];

/** The same tests on both; each begins with the schema and without rows. */
export function onBothDatabases(name: string, block: (database: () => Database) => void): void {
  describe.each(MIGRATED)(`${name}, on $name`, ({ open }) => {
    onDatabase(open, block);
  });
}

/** Tests of what only a database has that several processes can reach. */
export function onPostgres(name: string, block: (database: () => Database) => void): void {
  describe.each(MIGRATED.slice(0, 1))(`${name}, on $name`, ({ open }) => {
    onDatabase(open, block);
  });
}

function onDatabase(open: () => Promise<OpenedDatabase>, block: (database: () => Database) => void): void {
  let opened: OpenedDatabase;
  beforeAll(async () => {
    opened = await open();
  });
  beforeEach(() => emptied(opened.database));
  afterAll(() => opened?.end());
  block(() => opened.database);
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

async function openServer(content: 'empty' | 'migrated'): Promise<OpenedDatabase> {
  const { url, end } = await sharedDatabase(content);
  const database = await serverDatabase(url);
  return {
    database,
    async end() {
      await database.close();
      await end();
    },
  };
}

/** One of the databases of the server that all tests share. */
export interface SharedDatabase {
  readonly url: string;
  /** Removes it, and ends its connections. */
  end(): Promise<void>;
}

export async function sharedDatabase(content: 'empty' | 'migrated'): Promise<SharedDatabase> {
  const asked = async (method: string, path: string) => {
    const answer = await fetch(`${inject('postgres')}/${path}`, { method });
    if (!answer.ok) throw new Error(await answer.text());
    return await answer.text();
  };
  const url = await asked('POST', content);
  return { url, end: async () => void (await asked('DELETE', new URL(url).pathname.slice(1))) };
}

async function openEmbedded(within: string, fill = prepare): Promise<OpenedDatabase> {
  const data = mkdtempSync(join(within, 'assay-embedded-'));
  await fill(data);
  const database = await embeddedDatabase(data);
  return {
    database,
    async end() {
      await database.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The embedded database of this thread: to open one and to give it the schema takes seconds. */
let kept: { readonly opened: OpenedDatabase; readonly schema: string } | undefined;

async function openShared(): Promise<OpenedDatabase> {
  const { opened, schema } = kept ?? (await openMigrated());
  // Not while somebody has it, nor when it could not be given back.
  kept = undefined;
  return {
    database: { ...opened.database },
    async end() {
      if ((await schemaOf(opened.database)) === schema) kept = { opened, schema };
      else await opened.end();
    },
  };
}

async function openMigrated() {
  const opened = await openEmbedded(inject('databases'), prepareMigrated);
  return { opened, schema: await schemaOf(opened.database) };
}

/** How many things the schema has: a test that adds one does so for itself. */
async function schemaOf(database: Database): Promise<string> {
  const counts = ['pg_class', 'pg_attribute', 'pg_constraint', 'pg_trigger', 'pg_proc'].map(
    (name) => `(select count(*) from ${name}) as ${name}`,
  );
  return JSON.stringify(await database.query(`select ${counts.join(', ')}`));
}

/** Puts an empty embedded database into a folder: making one takes seconds, copying one does not. */
export async function prepare(data: string): Promise<void> {
  const empty = await keptAs(`embedded-${pgliteVersion()}`, async () => {});
  cpSync(empty, data, { recursive: true });
}

/** The same with the schema. */
export async function prepareMigrated(data: string): Promise<void> {
  const migrated = await keptAs(nameOfMigrated(), async (database) => void (await migrate(database)));
  cpSync(migrated, data, { recursive: true });
}

/** The same with an admin. */
export async function prepareWithAdmin(data: string): Promise<void> {
  const withAdmin = await keptAs(`${nameOfMigrated()}-admin`, async (database) => {
    await migrate(database);
    await addAdmin(database);
  });
  cpSync(withAdmin, data, { recursive: true });
}

/** The token of the admin that `addAdmin` adds. */
export const ADMIN_TOKEN = issueToken((bytes) => new Uint8Array(bytes).fill(7)).token;

/** Adds ann@example.com, whose token is called laptop. */
export async function addAdmin(database: Database): Promise<void> {
  const admin = await databaseAccounts(database).add({ email: 'ann@example.com', role: 'admin' });
  if (admin === undefined) throw new Error('there is an account ann@example.com');
  const token = { accountId: admin.id, name: 'laptop', role: 'admin', sha256: sha256(ADMIN_TOKEN) } as const;
  await databaseTokens(database).create(token);
}

function nameOfMigrated(): string {
  const checksums = ownMigrations().map(({ checksum }) => checksum);
  return `embedded-${pgliteVersion()}-${sha256(checksums.join()).slice(0, 12)}`;
}

async function keptAs(name: string, fill: (database: Database) => Promise<void>): Promise<string> {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(join(CACHE, 'embedded-draft-'));
  const database = await embeddedDatabase(draft);
  await fill(database).finally(() => database.close());
  try {
    renameSync(draft, folder);
  } catch {
    // Another thread was faster.
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, '.cache');

function pgliteVersion(): string {
  const text = readFileSync(join(ROOT, 'node_modules/@electric-sql/pglite/package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
