import { afterAll, beforeAll, expect, test } from 'vitest';

import { prepareMigrated, sharedDatabase, type SharedDatabase } from '../support/databases.ts';
import { openProject, type ProjectHere } from './support/here.ts';
import { until } from './support/until.ts';

let server: SharedDatabase;
beforeAll(async () => {
  server = await sharedDatabase('empty');
});
afterAll(() => server.end());

const ID = '[0-9a-f-]{36}';
const MINUTE = String.raw`\d{4}-\d\d-\d\d \d\d:\d\dZ`;

async function managed(project: ProjectHere, env: Readonly<Record<string, string>>): Promise<void> {
  const assay = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await project.here(args, env);
    return { code, stdout, stderr };
  };
  expect(await assay('accounts', 'add', 'ann@example.com', '--role', 'admin')).toEqual({
    code: 0,
    stdout: 'added ann@example.com (admin)\n',
    stderr: 'create a token for it: assay tokens create ann@example.com --name NAME\n',
  });
  expect((await assay('accounts', 'disable', 'ANN@example.com')).stderr).toBe(
    'assay: ann@example.com is the last active admin\n  add another admin first: assay accounts add EMAIL --role admin\n',
  );
  await assay('accounts', 'add', 'bob@example.com', '--role', 'member');

  const made = await assay('tokens', 'create', 'bob@example.com', '--name', 'ci', '--expires', '90d');
  expect(made.stdout).toMatch(/^assay_[\w-]{43}\n$/);
  expect(made.stderr).toMatch(
    new RegExp(
      String.raw`^a token for bob@example\.com \(member\); it expires ${MINUTE}\. It is shown only once: keep it as ASSAY_TOKEN\n$`,
    ),
  );
  const listed = await assay('tokens', 'list');
  expect(listed.stdout).toMatch(
    new RegExp(`^${ID}  bob@example\\.com  ci  \\(member, never used, expires ${MINUTE}\\)\n$`),
  );
  const [id = ''] = listed.stdout.split(' ');
  expect((await assay('tokens', 'revoke', id)).stdout).toBe('revoked ci of bob@example.com\n');
  expect((await assay('tokens', 'list', 'bob@example.com', '--json')).stdout).toMatch(
    /"revoked_at":"\d{4}-.*Z"/,
  );
  expect((await assay('tokens', 'revoke', 'x')).stderr).toBe(
    'assay: no token has the id "x"\n  `assay tokens list` shows the ids\n',
  );

  expect((await assay('accounts', 'disable', 'bob@example.com')).stdout).toBe(
    'disabled bob@example.com; its tokens are refused from now on\n',
  );
  expect((await assay('accounts', 'list')).stdout).toMatch(
    /^ann@example\.com {2}\(admin\)\nbob@example\.com {2}\(member, disabled \d{4}-\d\d-\d\d\)\n$/,
  );
}

test('accounts and tokens are managed in the database of a server', async () => {
  await using project = openProject({});
  const env = { DATABASE_URL: server.url };
  const early = await project.here(['accounts', 'list'], env);
  expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('run assay db migrate')]);
  expect((await project.here(['db', 'migrate'], env)).code).toBe(0);
  await managed(project, env);
});

test('accounts and tokens are managed in an embedded database, which listing does not make', async () => {
  await using project = openProject({});
  const list = await project.assay('accounts', 'list');
  expect([list.code, list.stdout]).toEqual([
    0,
    'no accounts; add one: assay accounts add EMAIL --role admin\n',
  ]);
  expect((await project.assay('tokens', 'list', 'ann@example.com')).stderr).toContain(
    'no account has the id or e-mail "ann@example.com"',
  );
  await prepareMigrated(project.path('.assay/data'));
  expect((await project.assay('accounts', 'add', 'ann@example.com', '--role', 'admin')).code).toBe(0);
  const made = await project.assay('tokens', 'create', 'ann@example.com', '--name', 'laptop', '--json');
  expect(JSON.parse(made.stdout)).toEqual({
    id: expect.stringMatching(ID) as string,
    account_id: expect.stringMatching(ID) as string,
    email: 'ann@example.com',
    name: 'laptop',
    role: 'admin',
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    state: 'active',
    token: expect.stringMatching(/^assay_[\w-]{43}$/) as string,
  });
  expect((await project.assay('tokens', 'list')).stdout).toContain('laptop  (admin, never used)');
});

test('a running server that owns the embedded database is asked, with the token of an admin', async () => {
  await using project = openProject({});
  await prepareMigrated(project.path('.assay/data'));
  await project.assay('accounts', 'add', 'ann@example.com', '--role', 'admin');
  const { stdout } = await project.assay('tokens', 'create', 'ann@example.com', '--name', 'laptop');
  const program = project.start(['serve', '--port', '0', '--auth', 'token']);
  await until('its address', () => program.printed().includes('Ctrl-C'));
  const [url = ''] = /http:\S+/.exec(program.printed()) ?? [];

  const without = await project.assay('accounts', 'list');
  expect([without.code, without.stderr]).toEqual([
    2,
    `assay: the request has no token (server ${url})\n  set ASSAY_TOKEN; \`assay tokens create\` makes a token\n`,
  ]);
  const asAnn = async (...args: readonly string[]) =>
    (await project.here(args, { ASSAY_TOKEN: stdout.trim() })).stdout;
  expect(await asAnn('accounts', 'add', 'bob@example.com', '--role', 'viewer')).toBe(
    'added bob@example.com (viewer)\n',
  );
  const bobs = (await asAnn('tokens', 'create', 'bob@example.com', '--name', 'ci')).trim();
  const asked = () =>
    fetch(`${url}/api/v1/tokens`, { headers: { Authorization: `Bearer ${bobs}` } }).then((answer) =>
      answer.json(),
    ) as Promise<{ readonly data: readonly { readonly id: string; readonly name: string }[] }>;
  const { data } = await asked();
  expect(data.map(({ name }) => name)).toEqual(['ci']);
  expect(await asAnn('tokens', 'revoke', data[0]?.id ?? '')).toBe('revoked ci of bob@example.com\n');
  expect(await asked()).toMatchObject({ error: { code: 'unauthorized' } });
  program.kill('SIGINT');
  expect((await program.ended).code).toBe(0);
});

test.each([
  [['accounts', 'add', 'ann@example.com'], "required option '--role <role>' not specified"],
  [['accounts', 'add', 'ann@example.com', '--role', 'owner'], 'Allowed choices are viewer, member, admin'],
  [['tokens', 'create', 'ann@example.com'], "required option '--name <name>' not specified"],
  [['tokens', 'create', 'a@b.c', '--name', 'x', '--expires', 'soon'], 'Give days such as 90d'],
])('assay %j is refused before anything is written', async (args, message) => {
  await using project = openProject({});
  const { code, stderr, stdout } = await project.assay(...args);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
});
