import { readFileSync, readdirSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { openProject, type ProjectHere } from './support/here.ts';

const EXAMPLES = new URL('../../examples/test-cases/', import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, EXAMPLES), 'utf8');
const examples = Object.fromEntries(
  ['tool-mocks.yaml', ...readdirSync(new URL('cases/', EXAMPLES)).map((name) => `cases/${name}`)].map(
    (name) => [`examples/${name}`, textOf(name)],
  ),
);

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

interface Exported {
  readonly count: number;
  readonly test_cases: readonly Record<string, unknown>[];
  readonly tool_mocks?: readonly unknown[];
}

/** Times are of the store. */
const withoutTimes = (text: string): Exported =>
  JSON.parse(text, (key, value: unknown) =>
    ['exported_at', 'created_at', 'updated_at'].includes(key) ? undefined : value,
  ) as Exported;

test('cases go into the store of a server, come out as they were, and go in again as files', async () => {
  await using project = openProject(examples);
  const assay = on(project, 'postgres');

  const early = await assay('cases', 'import', 'examples');
  expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('run assay db migrate')]);
  expect((await assay('db', 'migrate')).code).toBe(0);

  const first = await assay('cases', 'import', 'examples', '--json');
  expect(first.stderr).toBe('');
  const { created, items } = JSON.parse(first.stdout) as { created: number; items: { id: string }[] };
  expect(created).toBe(items.length);
  expect(created).toBeGreaterThan(4);
  const out = await assay('cases', 'export', '--status', 'any', '--out', 'all.json');
  expect([out.code, out.stdout, out.stderr]).toEqual([0, '', `wrote ${created} test cases to all.json\n`]);
  const exported = withoutTimes(readFileSync(project.path('all.json'), 'utf8'));
  expect(exported.count).toBe(created);
  expect(exported.tool_mocks?.length).toBeGreaterThan(0);

  const again = await assay('cases', 'import', 'all.json');
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('case-exists')]);
  const same = await assay('cases', 'import', 'all.json', '--on-conflict', 'replace');
  expect(same.stdout).toBe(`imported ${created} test cases: ${created} unchanged\n`);

  await assay('cases', 'export', '--status', 'any', '--format', 'jsonl', '--out', 'all.jsonl');
  await assay('cases', 'export', '--status', 'any', '--out', 'all.yaml');
  expect(readFileSync(project.path('all.yaml'), 'utf8')).toMatch(/^format: assay-cases\n/);
  const misnamed = await assay('cases', 'export', '--format', 'yaml', '--out', 'all.json');
  expect([misnamed.code, misnamed.stderr]).toEqual([
    2,
    expect.stringContaining('--format yaml does not fit the file name all.json'),
  ]);
  for (const file of ['all.jsonl', 'all.yaml']) {
    const round = await assay('cases', 'import', file, '--on-conflict', 'replace');
    expect(round.stdout).toBe(`imported ${created} test cases: ${created} unchanged\n`);
  }
});

test('cases are listed, shown, merged and archived', async () => {
  await using project = openProject({
    'a.json': JSON.stringify([
      { name: 'one', tags: ['smoke'], max_turns: 3 },
      { name: 'two', status: 'draft' },
    ]),
    'b.json': JSON.stringify({ name: 'one', tags: ['other'] }),
    'wrong.json': JSON.stringify([{ name: 'three' }, { name: '' }]),
  });
  const start = on(project, 'template1');
  expect((await start('db', 'migrate')).code).toBe(0);
  const assay = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await start('cases', ...args);
    return stderr === '' ? `${code} ${stdout}` : `${code} ${stderr}`;
  };
  expect(await assay('list')).toBe(
    '0 the store has no test cases yet; import some with assay cases import FILE\n',
  );
  expect(await assay('import', 'a.json', '--dry-run')).toBe(
    `0 would import 2 test cases: 2 created\n${COPIES}`,
  );
  expect(await assay('import', 'a.json')).toBe(`0 imported 2 test cases: 2 created\n${COPIES}`);
  expect(await assay('import', 'wrong.json')).toMatch(
    /^2 wrong\.json:1:\d+ {2}[^]*\nassay: 1 problem found; nothing was imported\n$/,
  );
  expect(await assay('list', '--status', 'any')).toMatch(
    new RegExp(`^0 one {2}${ID} {2}\\(active, normal, smoke\\)\\ntwo {2}${ID} {2}\\(draft, normal\\)\\n$`),
  );
  expect(await assay('import', 'b.json', '--match', 'name', '--on-conflict', 'merge')).toBe(
    '0 imported 1 test case: 1 merged\n',
  );
  const shown = JSON.parse((await assay('show', 'one')).slice(2)) as Record<string, unknown>;
  expect(shown).toMatchObject({ name: 'one', tags: ['other'], max_turns: 3, status: 'active' });
  expect(await assay('archive', 'one', 'missing')).toMatch(
    /^2 .*no test case in the store has the id or name "missing"/,
  );
  expect(await assay('archive', 'one')).toMatch(new RegExp(`^0 archived one {2}${ID}\\n$`));
  expect(await assay('list')).toBe('0 no test case in the store matches; the default is --status active\n');
});

test('without DATABASE_URL they are in an embedded store, which is made for the first of them', async () => {
  await using project = openProject({ 'a.json': JSON.stringify({ name: 'one' }) });
  const status = await project.assay('db', 'status');
  expect(status.stdout).toMatch(
    /[/]\.assay[/]data does not exist yet: assay db migrate or assay cases import creates it\n$/,
  );
  const imported = await project.assay('cases', 'import', 'a.json');
  expect([imported.stderr, imported.stdout]).toEqual([
    '',
    'imported 1 test case: 1 created\n1 of them has no `id`: importing the file again creates copies. To update them instead, add --match name --on-conflict replace\n',
  ]);
  expect((await project.assay('cases', 'list')).stdout).toMatch(new RegExp(`^one {2}${ID} {2}`));
});

const ID = '[0-9a-f-]{36}';
const COPIES =
  '2 of them have no `id`: importing the file again creates copies. To update them instead, add --match name --on-conflict replace\n';

/** Starts the program with a database of the server. */
function on(project: ProjectHere, name: string) {
  return (...args: readonly string[]) => project.here(args, { DATABASE_URL: server.url(name) });
}
