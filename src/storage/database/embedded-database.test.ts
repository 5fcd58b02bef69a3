import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';

import { beforeEach, expect, test } from 'vitest';

import { prepare } from '../../../test/support/databases.ts';
import { codeOf } from '../../../test/support/written-runs.ts';
import { embeddedDatabase } from './embedded-database.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

let data: string;
beforeEach(() => {
  data = folderOfTest('assay-embedded-');
});

test('what was written is there when it is opened again', async () => {
  await prepare(data);
  const first = await embeddedDatabase(data);
  await first.script('create table kept (text text); insert into kept values ($$a$$)');
  await first.close();
  const second = await embeddedDatabase(data);
  expect(await second.query('select text from kept')).toEqual([{ text: 'a' }]);
  await second.close();
  expect(readdirSync(data)).toEqual(['.gitignore', 'pg18']);
});

test('it has one owner, whose process the refusal names; a lock of a dead one is taken over', async () => {
  await prepare(data);
  const lock = join(data, 'owner.lock');
  writeFileSync(lock, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
  const database = await embeddedDatabase(data);
  expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: process.pid });
  await expect(embeddedDatabase(data)).rejects.toThrow(`is open in process ${process.pid} on ${hostname()}`);
  expect(await codeOf(embeddedDatabase(data))).toBe('data-directory-in-use');
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  await database.close();
});

test('a folder of another major version is named and not opened', async () => {
  mkdirSync(join(data, 'pg17'));
  await expect(embeddedDatabase(data)).rejects.toThrow(`${join(data, 'pg17')} holds data of PostgreSQL 17`);
  expect(await codeOf(embeddedDatabase(data))).toBe('data-directory-other-version');
  expect(readdirSync(data)).toEqual(['.gitignore', 'pg17']);
  mkdirSync(join(data, 'pg18'));
  writeFileSync(join(data, 'pg18', 'PG_VERSION'), '16\n');
  expect(await codeOf(embeddedDatabase(data))).toBe('data-directory-other-version');
});

test('a folder that holds no database says so in a few words', async () => {
  mkdirSync(join(data, 'pg18'));
  writeFileSync(join(data, 'pg18', 'PG_VERSION'), '18\n');
  const message = await embeddedDatabase(data).then(String, (error: Error) => error.message);
  expect(message.startsWith(`cannot open the database in ${data}: `)).toBe(true);
  expect(message.length).toBeLessThan(2200);
  expect(readdirSync(data)).toEqual(['.gitignore', 'pg18']);
});

test('its folder is free again when closing it fails', async () => {
  await prepare(data);
  const started = once(process, 'worker') as Promise<[Worker]>;
  const database = await embeddedDatabase(data);
  const [thread] = await started;
  await thread.terminate();
  await expect(database.close()).rejects.toThrow('the embedded database has stopped');
  expect(readdirSync(data)).toEqual(['.gitignore', 'pg18']);
});
