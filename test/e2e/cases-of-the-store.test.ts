import { readFileSync, readdirSync } from 'node:fs';

import { expect, onTestFinished, test } from 'vitest';

import { startPostgres } from '../support/postgres-server.ts';
import { openProject } from './support/project.ts';

const EXAMPLES = new URL('../../examples/test-cases/', import.meta.url);
const examples = Object.fromEntries(
  readdirSync(EXAMPLES).map((name) => [`cases/${name}`, readFileSync(new URL(name, EXAMPLES), 'utf8')]),
);

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

test('cases go into the store of a server, come out as they were, and go into another one', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  await using project = openProject(examples);
  const of = (name: string) => ({ DATABASE_URL: server.url(name) });
  const assay = async (...args: readonly string[]) => await project.start(args, of('postgres')).ended;

  const early = await assay('cases', 'import', 'cases');
  expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('run assay db migrate')]);
  expect((await assay('db', 'migrate')).code).toBe(0);

  const first = await assay('cases', 'import', 'cases', '--json');
  expect(first.stderr).toBe('');
  const { created, items } = JSON.parse(first.stdout) as { created: number; items: { id: string }[] };
  expect(created).toBe(items.length);
  expect(created).toBeGreaterThan(4);
  const out = await assay('cases', 'export', '--status', 'any', '--out', 'all.json');
  expect([out.code, out.stdout, out.stderr]).toEqual([0, '', '']);
  const exported = withoutTimes(readFileSync(project.path('all.json'), 'utf8'));
  expect(exported.count).toBe(created);
  expect(exported.tool_mocks?.length).toBeGreaterThan(0);

  const again = await assay('cases', 'import', 'all.json');
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('case-exists')]);
  const same = await assay('cases', 'import', 'all.json', '--on-conflict', 'replace');
  expect(same.stdout).toBe(`imported ${created} test cases: ${created} unchanged\n`);

  await assay('cases', 'export', '--status', 'any', '--format', 'jsonl', '--out', 'all.jsonl');
  await assay('cases', 'export', '--status', 'any', '--format', 'yaml', '--out', 'all.yaml');
  for (const file of ['all.jsonl', 'all.yaml']) {
    const round = await assay('cases', 'import', file, '--on-conflict', 'replace');
    expect(round.stdout).toBe(`imported ${created} test cases: ${created} unchanged\n`);
  }
});

test('cases of an embedded store are listed, shown, merged and archived', async () => {
  await using project = openProject({
    'a.json': JSON.stringify([
      { name: 'one', tags: ['smoke'], max_turns: 3 },
      { name: 'two', status: 'draft' },
    ]),
    'b.json': JSON.stringify({ name: 'one', tags: ['other'] }),
    'wrong.json': JSON.stringify([{ name: 'three' }, { name: '' }]),
  });
  const assay = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await project.assay('cases', ...args);
    return stderr === '' ? `${code} ${stdout}` : `${code} ${stderr}`;
  };
  const id = '[0-9a-f-]{36}';
  expect(await assay('import', 'a.json', '--dry-run')).toBe('0 would import 2 test cases: 2 created\n');
  expect(await assay('import', 'a.json')).toBe('0 imported 2 test cases: 2 created\n');
  expect(await assay('import', 'wrong.json')).toMatch(/^2 wrong\.json:1:\d+ {2}/);
  expect(await assay('list', '--status', 'any')).toMatch(
    new RegExp(`^0 one {2}${id} {2}\\(active, normal, smoke\\)\\ntwo {2}${id} {2}\\(draft, normal\\)\\n$`),
  );
  expect(await assay('import', 'b.json', '--match', 'name', '--on-conflict', 'merge')).toBe(
    '0 imported 1 test case: 1 merged\n',
  );
  const shown = JSON.parse((await assay('show', 'one')).slice(2)) as Record<string, unknown>;
  expect(shown).toMatchObject({ name: 'one', tags: ['other'], max_turns: 3, status: 'active' });
  expect(await assay('archive', 'one', 'nobody')).toMatch(
    /^2 .*no test case in the store has the id or name "nobody"/,
  );
  expect(await assay('archive', 'one')).toMatch(new RegExp(`^0 archived one {2}${id}\\n$`));
  expect(await assay('list')).toBe('0 no test case in the store matches; the default is --status active\n');
});
