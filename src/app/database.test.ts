import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';

import { beforeEach, expect, test } from 'vitest';

import { prepare } from '../../test/support/databases.ts';
import { codeOf } from '../../test/support/written-runs.ts';
import { embeddedDatabase } from '../storage/database/embedded-database.ts';
import { migrate } from '../storage/database/migrate.ts';
import { withCases } from './database.ts';
import { exportCases, listStoredCases, showStoredCase } from './stored-cases.ts';
import type { Surroundings } from './surroundings.ts';
import { describeDatabase } from './upkeep.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

let cwd: string;
let data: string;
let surroundings: Surroundings;
beforeEach(async () => {
  cwd = folderOfTest('assay-database-');
  data = join(cwd, '.assay/data');
  surroundings = { cwd, environment: {}, now: () => 0, commandLine: [] };
  await prepare(data);
});

test('a database of a newer version is refused each time, and closed', async () => {
  const database = await embeddedDatabase(data);
  await migrate(database);
  await database.query(`insert into schema_migration (number, name, checksum) values (99, 'future', 'x')`);
  await database.close();
  expect(await codeOf(describeDatabase(surroundings))).toBe('database-newer');
  expect(await codeOf(describeDatabase(surroundings))).toBe('database-newer');
  expect(readdirSync(data)).toEqual(['.gitignore', 'pg18']);
});

test('the error of the work is reported, not the later one of closing', async () => {
  const started = once(process, 'worker') as Promise<[Worker]>;
  const worked = withCases(surroundings, async () => {
    const [thread] = await started;
    await thread.terminate();
    throw new Error('the work has failed');
  });
  await expect(worked).rejects.toThrow('the work has failed');
  expect(readdirSync(data)).toEqual(['.gitignore', 'pg18']);
});

test('reading cases makes no database', async () => {
  rmSync(data, { recursive: true });
  expect(JSON.parse((await listStoredCases({}, surroundings)).json)).toEqual([]);
  expect(JSON.parse((await exportCases({}, 'json', surroundings)).text)).toMatchObject({ count: 0 });
  expect(await codeOf(showStoredCase('x', surroundings))).toBe('case-not-found');
  expect(readdirSync(cwd)).toEqual(['.assay']);
  expect(readdirSync(join(cwd, '.assay'))).toEqual([]);
});
