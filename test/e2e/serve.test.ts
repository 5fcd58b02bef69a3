import { existsSync, readFileSync, statSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { prepareMigrated } from '../support/databases.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { openProject } from './support/here.ts';
import type { Project } from './support/project.ts';
import { until } from './support/until.ts';

async function serving(project: Project, args: readonly string[] = [], env: Record<string, string> = {}) {
  const program = project.start(['serve', '--port', '0', ...args], env);
  const isOver = program.ended.then(({ stderr }) => {
    throw new Error(`assay serve ended: ${stderr}`);
  });
  await Promise.race([until('its address', () => program.printed().includes('Ctrl-C')), isOver]);
  isOver.catch(() => undefined);
  const [url = ''] = /http:\S+/.exec(program.printed()) ?? [];
  return { program, url };
}

const posted = (url: string, body: object) =>
  fetch(`${url}/api/v1/test-cases`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const ID = '[0-9a-f-]{36}';

describe('assay serve', () => {
  test('serves an empty folder, and its cases are there after a restart and without it', async () => {
    await using project = openProject({});
    const first = await serving(project);
    expect(first.program.complaints()).toBe(
      'warning: no authentication: every program on this machine may use this server\n',
    );
    const told = JSON.parse(readFileSync(project.path('.assay/server.json'), 'utf8')) as object;
    expect(told).toMatchObject({ url: first.url, pid: first.program.pid });
    expect(statSync(project.path('.assay/server.json')).mode & 0o777).toBe(0o600);
    const made = await posted(first.url, { name: 'x' });
    expect(made.status).toBe(201);
    const page = await fetch(first.url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    first.program.kill('SIGINT');
    expect(await first.program.ended).toMatchObject({ code: 0, signal: null });
    expect(existsSync(project.path('.assay/server.json'))).toBe(false);

    const second = await serving(project);
    const listed = (await (await fetch(`${second.url}/api/v1/test-cases`)).json()) as { data: object[] };
    expect(listed.data).toEqual([await made.json()]);
    second.program.kill('SIGTERM');
    expect(await second.program.ended).toMatchObject({ code: 0, signal: null });
    const { stdout } = await project.here(['cases', 'list']);
    expect(stdout).toMatch(new RegExp(`^x {2}${ID} {2}\\(active, normal\\)\\n$`));
  });

  test('has its embedded store for itself: a second one ends, and commands use the API', async () => {
    await using project = openProject({
      'cases.json': JSON.stringify([
        {
          name: 'one',
          tags: ['a'],
          expected_tool_calls: [{ tool: 'look', mock_responses: [{ response: 1 }] }],
        },
        { name: 'two' },
      ]),
      'change.json': JSON.stringify({ name: 'two', max_turns: 3 }),
      'wrong.json': JSON.stringify([{ name: 'three' }, { name: '' }]),
    });
    await prepareMigrated(project.path('.assay/data'));
    const { program } = await serving(project);
    const second = await project.start(['serve', '--port', '0']).ended;
    expect([second.code, second.stdout, second.stderr]).toEqual([
      2,
      '',
      expect.stringContaining(`is open in process ${program.pid} on `),
    ]);
    const cases = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await project.here(['cases', ...args]);
      return `${code} ${stderr}${stdout}`;
    };
    expect(await cases('import', 'cases.json', '--dry-run')).toMatch(
      /^0 would import 2 test cases: 2 created\n/,
    );
    expect(await cases('import', 'cases.json')).toMatch(/^0 imported 2 test cases: 2 created\n/);
    expect(await cases('import', 'wrong.json')).toMatch(/^2 wrong\.json:1:\d+ {2}/);
    const merge = ['--match', 'name', '--on-conflict', 'merge'];
    expect(await cases('import', 'change.json', ...merge)).toMatch(/^0 imported 1 test case: 1 merged\n/);
    expect(await cases('import', 'change.json', '--match', 'name')).toMatch(/^2 change\.json {2}case-exists/);
    const shown = JSON.parse((await cases('show', 'one')).slice(2)) as object;
    expect(shown).toMatchObject({
      name: 'one',
      tags: ['a'],
      mocks: [{ tool: 'look', match: 'any', times: null, result: 1 }],
    });
    expect(JSON.parse((await cases('show', 'two')).slice(2))).toMatchObject({ max_turns: 3 });
    expect(await cases('show', 'three')).toMatch(
      /^2 assay: no test case in the store has the id or name "three"/,
    );
    expect(await cases('archive', 'two')).toMatch(new RegExp(`^0 archived two {2}${ID}\\n$`));
    expect(await cases('list')).toMatch(new RegExp(`^0 one {2}${ID} {2}\\(active, normal, a\\)\\n$`));
    expect(await cases('export', '--out', 'active.json')).toBe(
      '0 wrote 1 test case to active.json; left out because not active: 1 (--status any takes all)\n',
    );
    expect(await cases('export', '--status', 'any', '--out', 'all.json')).toBe(
      '0 wrote 2 test cases to all.json\n',
    );
    program.kill('SIGINT');
    await program.ended;
    // Without the server, the same commands open the database themselves.
    expect(await cases('import', 'all.json', '--on-conflict', 'replace')).toBe(
      '0 imported 2 test cases: 2 unchanged\n',
    );
  });

  test('that was killed leaves its store and its address to others', async () => {
    await using project = openProject({});
    await prepareMigrated(project.path('.assay/data'));
    const { program, url } = await serving(project);
    expect((await posted(url, { name: 'x' })).status).toBe(201);
    program.kill('SIGKILL');
    await program.ended;
    expect(existsSync(project.path('.assay/server.json'))).toBe(true);
    const listed = await project.here(['cases', 'list']);
    expect([listed.stderr, listed.stdout]).toEqual(['', expect.stringContaining('x  ')]);
    const next = await serving(project);
    const { data } = (await (await fetch(`${next.url}/api/v1/test-cases`)).json()) as { data: object[] };
    expect(data).toHaveLength(1);
    next.program.kill('SIGINT');
    await next.program.ended;
  });

  test('is open to other machines only with authentication', async () => {
    await using project = openProject({});
    const { code, stderr } = await project.start(['serve', '--host', '0.0.0.0']).ended;
    expect([code, stderr]).toEqual([
      2,
      'assay: other machines can reach 0.0.0.0, but the server requires no sign-in\n  first run `assay accounts add EMAIL --role admin` and `assay tokens create EMAIL --name NAME`, then use --auth token\n',
    ]);
  });

  test.each(['127.0.0.1', '0.0.0.0'])('at %s with tokens needs somebody who can sign in', async (host) => {
    await using project = openProject({});
    await prepareMigrated(project.path('.assay/data'));
    const args = ['serve', '--host', host, '--port', '0', '--auth', 'token'];
    const { code, stderr } = await project.start(args).ended;
    expect([code, stderr]).toEqual([
      2,
      'assay: nobody could sign in: no active admin has a token\n  first run `assay accounts add EMAIL --role admin` and `assay tokens create EMAIL --name NAME`\n',
    ]);
  });

  test('with token authentication answers commands that have a token, and nobody else', async () => {
    await using project = openProject({});
    await prepareMigrated(project.path('.assay/data'));
    await project.here(['accounts', 'add', 'ann@example.com', '--role', 'admin']);
    const created = await project.here(['tokens', 'create', 'ann@example.com', '--name', 'ci', '--json']);
    const [token = ''] = /assay_[\w-]{43}/.exec(created.stdout) ?? [];
    const { program, url } = await serving(project, ['--auth', 'token']);
    expect(program.complaints()).toBe('');
    expect((await fetch(`${url}/api/v1/test-cases`)).status).toBe(401);
    const without = await project.here(['cases', 'list']);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('set ASSAY_TOKEN')]);
    const list = await project.here(['cases', 'list'], { ASSAY_TOKEN: token });
    expect([list.code, list.stderr]).toEqual([0, '']);
    const wrong = await project.here(['cases', 'list'], { ASSAY_TOKEN: `${token.slice(0, -1)}_` });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('unknown, expired or revoked')]);
    program.kill('SIGINT');
    const ended = await program.ended;
    expect([ended.code, JSON.stringify([ended, without, list, wrong])]).toEqual([
      0,
      expect.not.stringContaining(token),
    ]);
  });

  test('of a PostgreSQL database can be several, and migrates it unless it may not', async () => {
    const server = await startPostgres();
    await using project = openProject({});
    const env = { DATABASE_URL: server.url('postgres').replace('assay@', 'assay:hunter2-hunter2@') };
    const refused = await project.start(['serve', '--port', '0', '--no-migrate'], env).ended;
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('run assay db migrate')]);
    const both = [await serving(project, [], env), await serving(project, ['--no-migrate'], env)];
    expect((await posted(both[0]?.url ?? '', { name: 'x' })).status).toBe(201);
    const lists = both.map(async ({ url }) => (await fetch(`${url}/api/v1/test-cases`)).json());
    const [one, other] = (await Promise.all(lists)) as { data: object[] }[];
    expect([one?.data.length, other]).toEqual([1, one]);
    const settings = await (await fetch(`${both[0]?.url}/api/v1/settings`)).text();
    await server.stop();
    const gone = await fetch(`${both[0]?.url}/api/v1/test-cases`);
    const { error } = (await gone.json()) as { error: { code: string } };
    expect([gone.status, error.code]).toEqual([503, 'database-unreachable']);
    for (const { program } of both) program.kill('SIGINT');
    const ended = await Promise.all(both.map(({ program }) => program.ended));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(JSON.stringify([ended, settings, error])).not.toContain('hunter2');
  });

  test.each([
    [{}, [false, false]],
    [{ judge: { metrics: [] } }, [false, false]],
    [{ user: { model: 'openai/gpt-5-mini' }, judge: { model: 'openai/gpt-5-mini' } }, [true, true]],
    [{ user: 'bot', targets: { bot: { type: 'model', model: 'a/b', judge: 'bot' } } }, [true, true]],
  ])('says whether its config names who plays the user and who judges: %j', async (config, named) => {
    await using project = openProject({ 'assay.config.json': config });
    await prepareMigrated(project.path('.assay/data'));
    const { program, url } = await serving(project);
    const settings = (await (await fetch(`${url}/api/v1/settings`)).json()) as Record<string, unknown>;
    program.kill('SIGINT');
    await program.ended;
    expect([settings['has_user'], settings['has_judge']]).toEqual(named);
  });

  test('is found by ASSAY_URL, and commands tell where it is not', async () => {
    await using project = openProject({});
    await using elsewhere = openProject({});
    await prepareMigrated(project.path('.assay/data'));
    const { program, url } = await serving(project);
    expect((await posted(url, { name: 'x' })).status).toBe(201);
    const list = (address: string) => elsewhere.here(['cases', 'list'], { ASSAY_URL: address });
    expect((await list(`${url}/`)).stdout).toContain('x  ');
    program.kill('SIGINT');
    await program.ended;
    const gone = await list(url);
    expect([gone.code, gone.stderr]).toEqual([
      2,
      expect.stringContaining(`the server at ${url} does not answer: `),
    ]);
    const wrong = await list('nonsense');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('check ASSAY_URL')]);
  });
});
