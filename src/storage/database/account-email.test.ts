import { afterAll, beforeAll, expect, test } from 'vitest';

import { type PostgresServer, startPostgres } from '../../../test/support/postgres-server.ts';
import { type Database, sqlState } from './database.ts';
import { migrate } from './migrate.ts';
import { serverDatabase } from './server-database.ts';

let server: PostgresServer;
let database: Database;
beforeAll(async () => {
  server = await startPostgres();
  const first = await serverDatabase(server.url('postgres'));
  await first.query(`create database words template template0 locale_provider icu icu_locale 'en-US'`);
  await first.close();
  database = await serverDatabase(server.url('words'));
  await migrate(database);
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

test('an e-mail is unique without the case of ASCII letters, whatever the locale of the database', async () => {
  const add = (email: string) =>
    database
      .query(`insert into account (email, role) values ($1, 'viewer')`, [email])
      .then(() => 'added', sqlState);
  expect(await add('A-Ä@example.com')).toBe('added');
  expect(await add('a-ä@example.com')).toBe('added');
  expect(await add('a-Ä@EXAMPLE.com')).toBe('23505');
});
