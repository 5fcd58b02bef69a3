import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { CONTAINER } from '../contracts/container.ts';
import { findProgram } from '../../src/lib/process/find-program.ts';
import { processesWith } from '../e2e/support/leftovers.ts';
import { outcomeOf } from '../e2e/support/outcome.ts';
import { manifestOf, newestRun, openProject, rowOf, rowsOf, type Project } from '../e2e/support/project.ts';

const NAMESPACE = { level: 'namespace' };

const oneCase = (input = 'hello', more: object = {}) => ({
  tests: [{ id: 'one', input, assert: [{ type: 'contains', value: 'done' }], ...more }],
});

/** A project with one program as its agent, in a sandbox. */
function projectOf(
  script: string,
  { sandbox = NAMESPACE, files = {}, test: more = {} }: Options = {},
): Project {
  return openProject({
    'a.eval.yaml': oneCase('hello', more),
    'assay.config.json': { targets: { agent: { type: 'cli', command: ['sh', '-c', script], sandbox } } },
    ...files,
  });
}

interface Options {
  readonly sandbox?: object;
  readonly files?: Readonly<Record<string, unknown>>;
  readonly test?: object;
}

test('an agent in a namespace finds neither the project nor the run, and its level is on run and row', async () => {
  await using project = projectOf('ls -A "$P" "$P/.assay" 2>&1; ls -A "$PWD"; ls -A /tmp; echo done', {
    sandbox: NAMESPACE,
    test: { workspace: { template: './template' } },
    files: { 'template/mine.txt': 'x', 'canary.txt': 'x' },
  });
  const config = JSON.parse(project.read('assay.config.json'));
  config.targets.agent.env = { P: project.directory };
  project.write({ 'assay.config.json': config });
  const ended = await project.assay('run');
  expect(ended).toMatchObject({ code: 0 });
  const row = rowOf(newestRun(project), 'one');
  expect(row.isolation).toBe('namespace');
  expect(manifestOf(newestRun(project)).isolation).toBe('namespace');
  expect(row.output).toContain('mine.txt');
  expect(row.output).not.toMatch(/canary|evals?\.|runs/);
  expect(row.output).toContain(`cannot access '${project.directory}'`);
});

test('the file of the project that a command names is the only one that the agent sees', async () => {
  await using project = openProject({
    'a.eval.yaml': oneCase(),
    'agent.mjs':
      "import { readdirSync } from 'node:fs'; import { dirname } from 'node:path';\nconsole.log('done', readdirSync(dirname(process.argv[1])).join());\n",
    'secret.txt': 'x',
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['node', './agent.mjs'], sandbox: NAMESPACE } },
    },
  });
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  expect(rowOf(newestRun(project), 'one').output).toBe('done agent.mjs');
});

test('the placeholders of a command work in a namespace', async () => {
  await using project = openProject({
    'a.eval.yaml': oneCase('say done'),
    'assay.config.json': {
      targets: {
        agent: {
          type: 'cli',
          command: 'cat {PROMPT_FILE} > {OUTPUT_FILE}',
          sandbox: NAMESPACE,
        },
      },
    },
  });
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  expect(rowOf(newestRun(project), 'one').output).toBe('say done');
});

test.each([
  ['namespace', NAMESPACE],
  ['container', CONTAINER],
] as const)('the tools of a world are called over MCP in a %s', async (_, sandbox) => {
  await using project = openProject({
    'a.eval.yaml': {
      tests: [
        {
          id: 'one',
          input: 'call it',
          mocks: [{ tool: 'find', result: 'done' }],
          assert: [{ type: 'contains', value: 'done' }],
        },
      ],
    },
    'agent.mjs': MCP_AGENT,
    'assay.config.json': {
      targets: {
        agent: {
          type: 'cli',
          command: ['node', './agent.mjs', '{MCP_CONFIG}'],
          tools: [{ name: 'find', parameters: { type: 'object' } }],
          sandbox,
        },
      },
    },
  });
  const ended = await project.assay('run');
  expect(ended.stderr).toBe('');
  expect(outcomeOf(rowOf(newestRun(project), 'one'))).toMatchObject({ verdict: 'passed' });
});

/** Speaks MCP by hand: initialize, then one call. */
const MCP_AGENT = `
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
const { command, args, env } = JSON.parse(readFileSync(process.argv[2], 'utf8')).mcpServers.tools;
const server = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
const say = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
let text = '';
server.stdout.on('data', (chunk) => {
  text += chunk;
  for (let end; (end = text.indexOf('\\n')) >= 0; text = text.slice(end + 1)) {
    const { id, result } = JSON.parse(text.slice(0, end));
    if (id === 1) {
      say({ method: 'notifications/initialized' });
      say({ id: 2, method: 'tools/call', params: { name: 'find', arguments: {} } });
    }
    if (id === 2) {
      console.log(result.content[0].text);
      server.kill();
    }
  }
});
say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } } });
`;

test('an agent that kills everything it can reach and leaves daemons hurts nobody, and nothing is left', async () => {
  const script = `(setsid sh -c 'while :; do sleep 9; done' > /dev/null 2>&1 &) ; echo done; kill -9 -1`;
  await using project = projectOf(script);
  const ended = await project.assay('run');
  // Its own shell is not among those that it kills.
  expect(ended.code).toBe(0);
  expect(await project.orphans()).toEqual([]);
  expect(project.litter()).toEqual([]);
});

test('a hundred trials leave no process, no namespace, no file and no mount', async () => {
  await using project = projectOf('(setsid sleep 900 > /dev/null 2>&1 &) ; echo done', {
    test: { repeat: 100 },
  });
  // Containers of other tests come and go meanwhile.
  const mounts = () =>
    readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .filter((line) => !line.includes('/containers/storage/'));
  const before = mounts();
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  expect(rowsOf(newestRun(project))).toHaveLength(100);
  // Without a process in it or a mount of it, a namespace does not exist.
  expect(await project.orphans()).toEqual([]);
  expect(project.litter()).toEqual([]);
  expect(mounts()).toEqual(before);
});

test('when assay is killed, the agent and all that it has started are gone', async () => {
  await using project = projectOf('setsid sleep 900 & : > /tmp/x; echo running; sleep 900');
  const running = project.start(['run']);
  await expect
    .poll(() => processesWith(project.marker).some(({ command }) => command === 'sleep 900'))
    .toBe(true);
  running.kill('SIGKILL');
  await running.ended;
  expect(await project.orphans()).toEqual([]);
});

test('connections that an agent did not get are counted on its row, and a listed one works', async () => {
  const server = createServer((_, response) => response.end('done'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const script = `
    for n in 1 2; do curl -s https://example.com/ && echo escaped; done
    curl -s http://example.org/ > /dev/null
    curl -s https://name.invalid/ && echo escaped
    curl -s http://127.0.0.1:${port}/`;
  await using project = projectOf(script, {
    sandbox: { ...NAMESPACE, network: [`127.0.0.1:${port}`, 'name.invalid:443'] },
  });
  const { code } = await project.assay('run');
  server.close();
  expect(code).toBe(0);
  expect(rowOf(newestRun(project), 'one')).toMatchObject({
    output: 'done',
    network: { refused: { 'example.com': 2, 'example.org': 1 }, unreachable: { 'name.invalid': 1 } },
  });
  expect(project.litter()).toEqual([]);
});

test('an agent that prints what bubblewrap prints has crashed by itself', async () => {
  await using project = projectOf('echo "bwrap: No such file or directory" >&2; exit 1');
  expect(await project.assay('run')).toMatchObject({ code: 3 });
  expect(rowOf(newestRun(project), 'one').error).toMatchObject({ kind: 'runner-crash' });
});

test('an address in `network` that is not host:port is a mistake in the config', async () => {
  await using project = projectOf('echo done', { sandbox: { ...NAMESPACE, network: ['example.com'] } });
  const { code, stderr } = await project.assay('run');
  expect(code).toBe(2);
  expect(stderr).toContain('must be host:port, such as api.example.com:443');
});

test('an image that an engine would take for an option is a mistake in the config', async () => {
  await using project = projectOf('echo done', { sandbox: { level: 'container', image: '--privileged' } });
  const { code, stderr } = await project.assay('run');
  expect(code).toBe(2);
  expect(stderr).toContain('must be the name of an image');
});

test.each([
  ['a mount that does not exist', { from: './nothing' }, 'the mount ./nothing does not exist'],
  ['a mount of the project', { from: '.' }, 'the mount . contains the project'],
  ['a mount of a folder around it', { from: '..' }, 'the mount .. contains the project'],
  ['a mount by a link', { from: './link' }, 'the mount ./link contains the project'],
  ['a mount of its runs', { from: './.assay/runs' }, 'the mount ./.assay/runs contains stored runs'],
  [
    'a mount over the system',
    { from: './data', at: '/usr/data' },
    'would hide a folder of the system: /usr/data',
  ],
])('%s is refused before anything runs', async (_, mount, message) => {
  await using project = projectOf('echo done', {
    sandbox: { ...NAMESPACE, mount: [mount] },
    files: { 'data/x': '' },
  });
  mkdirSync(project.path('.assay/runs'), { recursive: true });
  symlinkSync(project.directory, project.path('link'));
  const { code, stderr } = await project.assay('run');
  expect(code).toBe(2);
  expect(stderr).toContain('sandbox-mount');
  expect(stderr).toContain(message);
  expect(project.runs()).toEqual([]);
});

test('without bubblewrap nothing runs, and the message says what to install', async () => {
  await using project = projectOf('echo done');
  const bin = project.path('bin');
  mkdirSync(bin);
  const place = { cwd: project.directory, env: { PATH: process.env['PATH'] ?? '' } };
  for (const name of ['sh', 'env', 'node', 'git']) {
    symlinkSync((await findProgram(name, place)) ?? '', join(bin, name));
  }
  const { code, stderr } = await project.start(['run'], { PATH: bin }).ended;
  expect(code).toBe(2);
  expect(stderr).toContain('which this machine cannot run: bubblewrap (bwrap) is not installed');
  expect(stderr).toContain('apt-get install bubblewrap');
  expect(existsSync(project.path('.assay/runs')) ? project.runs() : []).toEqual([]);
});

test('--sandbox overrides the config, and --require-isolation refuses less', async () => {
  await using project = projectOf('echo done', { sandbox: { level: 'process' } });
  const refused = await project.assay('run', '--require-isolation', 'namespace');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(
    'target agent runs at the sandbox level process, but --require-isolation asks for namespace',
  );
  const ended = await project.assay('run', '--sandbox', 'namespace', '--require-isolation', 'namespace');
  expect(ended.code).toBe(0);
  expect(rowOf(newestRun(project), 'one').isolation).toBe('namespace');
});

test('a promise that the level cannot keep is refused', async () => {
  await using project = projectOf('echo done', { sandbox: { network: 'none' } });
  const { code, stderr } = await project.assay('run');
  expect(code).toBe(2);
  expect(stderr).toContain('so `network: none` cannot be enforced');
  expect(await project.assay('run', '--sandbox', 'namespace')).toMatchObject({ code: 0 });
});

test('a sandbox of a target without programs is a mistake in the config', async () => {
  await using project = openProject({
    'a.eval.yaml': oneCase(),
    'assay.config.json': { targets: { agent: { type: 'mock', response: 'done', sandbox: NAMESPACE } } },
  });
  const { code, stderr } = await project.assay('run');
  expect(code).toBe(2);
  expect(stderr).toContain('this target of type mock starts no program, so it has no `sandbox`');
});

test('run.sandbox holds for every target with programs, and for no other', async () => {
  await using project = openProject({
    'a.eval.yaml': { ...oneCase(), execution: { targets: ['agent', 'fixed'] } },
    'assay.config.json': {
      run: { sandbox: NAMESPACE },
      targets: {
        agent: { type: 'cli', command: ['echo', 'done'] },
        fixed: { type: 'mock', response: 'done' },
      },
    },
  });
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  const levels = rowsOf(newestRun(project)).map(({ target, isolation }) => [target, isolation]);
  expect(Object.fromEntries(levels)).toEqual({ agent: 'namespace', fixed: undefined });
});

test('assay doctor --sandbox says what holds on this machine', async () => {
  await using project = openProject({});
  const { code, stdout } = await project.assay('doctor', '--sandbox', '--json');
  const levels = JSON.parse(stdout) as {
    level: string;
    state: string;
    escapes: string[];
    missing: string[];
  }[];
  expect(levels.map(({ level, state, missing }) => [level, state, missing])).toEqual([
    ['process', 'ok', []],
    ['namespace', 'ok', []],
    ['container', 'ok', []],
  ]);
  expect(levels[2]?.escapes).toEqual([]);
  expect(levels[1]?.escapes).toEqual([]);
  expect(levels[0]?.escapes).toContain('read a file beside its workspace');
  expect(code).toBe(0);
});
