import { readdirSync } from 'node:fs';

import { expect, test } from 'vitest';

import { prepare } from '../support/databases.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { openProject } from './support/here.ts';
import { until } from './support/until.ts';

const NAMES = readdirSync(new URL('../../src/storage/database/migrations/', import.meta.url))
  .toSorted()
  .map((file) => `${Number.parseInt(file, 10)} ${file.slice(5, -4)}`);

test('assay db migrates an embedded database, which is there at the next start', async () => {
  await using project = openProject({});
  const data = project.path('.assay/data');
  const before = await project.assay('db', 'status');
  expect([before.code, before.stdout]).toEqual([
    0,
    `${data} does not exist yet: assay db migrate or assay cases import creates it\n`,
  ]);
  expect(project.litter()).toEqual([]);
  await prepare(data);

  const applied = `${NAMES.map((name) => `applied ${name}\n`).join('')}${data} is up to date\n`;
  expect(await project.assay('db', 'migrate')).toMatchObject({ code: 0, stdout: applied });
  const after = await project.assay('db', 'status', '--json');
  expect(JSON.parse(after.stdout)).toEqual({
    database: data,
    migrations: NAMES.map((name) => ({
      number: Number.parseInt(name, 10),
      name: name.slice(name.indexOf(' ') + 1),
      appliedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })),
  });
  expect(await project.assay('db', 'rebuild')).toMatchObject({
    code: 0,
    stdout: `rebuilt 0 runs in ${data}\n`,
  });
});

test('a new embedded database has its schema from the beginning, with the times of this project', async () => {
  await using project = openProject({});
  const startedAt = new Date();
  const data = project.path('.assay/data');
  expect(await project.assay('db', 'migrate')).toMatchObject({
    code: 0,
    stdout: `created ${data} with ${NAMES.length} migrations\n${data} is up to date\n`,
  });
  expect(JSON.parse((await project.assay('db', 'migrate', '--json')).stdout)).toEqual({
    database: data,
    created: false,
    applied: [],
  });
  const { stdout } = await project.assay('db', 'status', '--json');
  const { migrations } = JSON.parse(stdout) as { migrations: readonly { readonly appliedAt: string }[] };
  expect(migrations).toHaveLength(NAMES.length);
  expect(migrations.filter(({ appliedAt }) => new Date(appliedAt) < startedAt)).toEqual([]);
});

test('assay db migrates the server of DATABASE_URL, two at once too, and never prints its password', async () => {
  const server = await startPostgres();
  await using project = openProject({});
  const url = new URL(server.url('postgres'));
  url.password = 'hunter2-hunter2';
  const env = { DATABASE_URL: url.href };
  const refused = await project.here(['db', 'rebuild'], env);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining(`lacks ${NAMES.length} migrations`),
  ]);
  const both = await Promise.all([1, 2].map(() => project.start(['db', 'migrate', '--json'], env).ended));
  const applied = both.map(({ stdout }) => JSON.parse(stdout) as { database: string; applied: unknown[] });
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(applied.map(({ database }) => database)).toEqual(both.map(() => `postgres://${url.host}/postgres`));
  expect(applied.flatMap((each) => each.applied)).toHaveLength(NAMES.length);
  await server.stop();
  const gone = await project.here(['db', 'status'], env);
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('ECONNREFUSED')]);
  expect(JSON.stringify([both, gone])).not.toContain('hunter2');
  expect(project.litter()).toEqual([]);
});

test('a running server that owns the embedded database is asked, and anybody else may not', async () => {
  await using project = openProject({});
  await prepare(project.path('.assay/data'));
  await project.assay('accounts', 'add', 'ann@example.com', '--role', 'admin');
  await project.assay('accounts', 'add', 'bob@example.com', '--role', 'member');
  const tokenOf = async (email: string) =>
    (await project.assay('tokens', 'create', email, '--name', 'laptop')).stdout.trim();
  const [ann, bob] = [await tokenOf('ann@example.com'), await tokenOf('bob@example.com')];
  const program = project.start(['serve', '--port', '0', '--auth', 'token']);
  await until('its address', () => program.printed().includes('Ctrl-C'));
  const db = async (token: string, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await project.here(['db', ...args], { ASSAY_TOKEN: token });
    return [code, stdout, stderr];
  };
  const data = project.path('.assay/data');
  const prune = ['prune', '--archived-before', '2026-01-01'];
  expect([await db(ann, 'migrate'), await db(ann, 'rebuild'), await db(ann, ...prune)]).toEqual([
    [0, `${data} is up to date\n`, ''],
    [0, `rebuilt 0 runs in ${data}\n`, ''],
    [0, 'no run to remove that was archived before 2026-01-01T00:00:00Z\n', ''],
  ]);
  const [, status] = await db(ann, 'status');
  expect(String(status).split('\n').slice(-2)).toEqual([`${data} is up to date`, '']);
  const refused = await db(bob, ...prune);
  expect(refused).toEqual([
    2,
    '',
    expect.stringContaining('bob@example.com has the role member; this needs admin'),
  ]);
  program.kill('SIGINT');
  expect((await program.ended).code).toBe(0);
});
