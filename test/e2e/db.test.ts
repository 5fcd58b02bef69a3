import { expect, test } from 'vitest';

import { prepare } from '../support/databases.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { openProject } from './support/project.ts';

const NAMES = ['1 cases-and-agents', '2 runs', '3 people'];

test('assay db migrates an embedded database, which is there at the next start', async () => {
  await using project = openProject({});
  const data = project.path('.assay/data');
  const before = await project.assay('db', 'status');
  expect([before.code, before.stdout]).toEqual([
    0,
    `${NAMES.map((name) => `${name}: missing\n`).join('')}${data} lacks 3 migrations: run assay db migrate\n`,
  ]);
  expect(project.litter()).toEqual([]);
  await prepare(data);

  const applied = `${NAMES.map((name) => `applied ${name}\n`).join('')}${data} is up to date\n`;
  expect(await project.assay('db', 'migrate')).toMatchObject({ code: 0, stdout: applied });
  const after = await project.assay('db', 'status', '--json');
  expect(JSON.parse(after.stdout)).toEqual({
    database: data,
    migrations: NAMES.map((name) => ({
      number: Number(name[0]),
      name: name.slice(2),
      appliedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })),
  });
  expect(await project.assay('db', 'rebuild')).toMatchObject({
    code: 0,
    stdout: `rebuilt 0 runs in ${data}\n`,
  });
});

test('assay db migrates the server of DATABASE_URL, two at once too, and never prints its password', async () => {
  const server = await startPostgres();
  await using project = openProject({});
  const url = new URL(server.url('postgres'));
  url.password = 'hunter2-hunter2';
  const env = { DATABASE_URL: url.href };
  const refused = await project.start(['db', 'rebuild'], env).ended;
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('lacks 3 migrations')]);
  const both = await Promise.all([1, 2].map(() => project.start(['db', 'migrate', '--json'], env).ended));
  const applied = both.map(({ stdout }) => JSON.parse(stdout) as { database: string; applied: unknown[] });
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(applied.map(({ database }) => database)).toEqual(both.map(() => `postgres://${url.host}/postgres`));
  expect(applied.flatMap((each) => each.applied)).toHaveLength(NAMES.length);
  await server.stop();
  const gone = await project.start(['db', 'status'], env).ended;
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('ECONNREFUSED')]);
  expect(JSON.stringify([both, gone])).not.toContain('hunter2');
  expect(project.litter()).toEqual([]);
});
