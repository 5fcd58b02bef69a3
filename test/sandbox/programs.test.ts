import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { CONTAINER } from '../contracts/container.ts';
import { folder } from '../contracts/sandbox.ts';
import { newestRun, openProject, rowOf, rowsOf } from '../e2e/support/project.ts';
import { installFakeAgent } from '../support/fake-agent.ts';

const tests = [{ id: 'one', input: 'hello', assert: [{ type: 'contains', value: 'done' }] }];

/** A server of this machine, which no agent reaches unless it is listed. */
async function startServer(): Promise<number> {
  const server = createServer((_, response) => response.end('reached'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** For agents in JavaScript: what can be read, and which ports answer. */
const LOOKS = `
import { readFileSync } from 'node:fs';
const read = (path) => { try { return readFileSync(path, 'utf8'); } catch (error) { return error.code; } };
const get = (port) => fetch('http://127.0.0.1:' + port).then((answer) => answer.text(), () => 'refused');
const look = async () => [
  'done', 'secret: ' + read(process.env.P + '/canary.txt'), 'listed: ' + await get(process.env.LISTED),
  'other: ' + await get(process.env.OTHER),
].join(', ');
`;

const MODULE = `${LOOKS}
import { name } from 'helper';
export default async ({ messages, workspace }) =>
  [await look(), name, read(workspace.directory + '/mine.txt'), messages.length].join(', ');
`;

const SERVER = `${LOOKS}
import { createServer, request as ask } from 'node:http';
const proxy = new URL(process.env.HTTPS_PROXY ?? 'http://127.0.0.1:1');
const elsewhere = { host: proxy.hostname, port: proxy.port, path: 'http://example.com/' };
createServer(async (request, response) => {
  for await (const _ of request);
  if (request.method === 'POST') await new Promise((done) => ask(elsewhere, (answer) => answer.resume().on('end', done)).on('error', done).end());
  response.end(JSON.stringify({ messages: [{ role: 'assistant', content: await look() }] }));
}).listen(Number(process.env.PORT), '127.0.0.1');
`;

/** A project whose agent may reach only one of two servers. */
async function projectOf(target: object, level: string) {
  const [listed, other] = [await startServer(), await startServer()];
  const project = openProject({
    'canary.txt': 'purple',
    'agent.mjs': target['type' as keyof typeof target] === 'module' ? MODULE : SERVER,
    'node_modules/helper/package.json': { name: 'helper', type: 'module', exports: './index.js' },
    'node_modules/helper/index.js': "export const name = 'packaged';\n",
    'template/mine.txt': 'mine',
    'a.eval.yaml': { workspace: { template: './template' }, tests },
  });
  const env = { P: project.directory, LISTED: String(listed), OTHER: String(other) };
  const kind = level === 'container' ? CONTAINER : { level };
  const sandbox = level === 'process' ? kind : { ...kind, network: [`127.0.0.1:${listed}`] };
  project.write({ 'assay.config.json': { targets: { agent: { ...target, env, sandbox } } } });
  return project;
}

const HTTP = {
  type: 'http',
  url: 'http://127.0.0.1:{PORT}/agent',
  server: { command: ['node', './agent.mjs'] },
};

describe.each([
  ['process', 'secret: purple, listed: reached, other: reached'],
  ['namespace', 'secret: ENOENT, listed: reached, other: refused'],
  ['container', 'secret: ENOENT, listed: reached, other: refused'],
])('%s', (level, seen) => {
  test('a module sees its packages and its workspace, and of the rest what the level shows', async () => {
    await using project = await projectOf({ type: 'module', module: './agent.mjs' }, level);
    const { code, stderr } = await project.assay('run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(rowOf(newestRun(project), 'one')).toMatchObject({
      isolation: level,
      output: `done, ${seen}, packaged, mine, 1`,
    });
    expect(await project.orphans()).toEqual([]);
    expect(project.litter()).toEqual([]);
  });

  test.each([
    ['an open port', {}],
    ['a URL that answers', { url: 'http://localhost:{PORT}/ready' }],
  ])('the server of an http target is asked, with %s as the sign that it is ready', async (_, more) => {
    const target = { ...HTTP, server: { ...HTTP.server, ...more } };
    await using project = await projectOf(target, level);
    const { code, stderr } = await project.assay('run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const row = rowOf(newestRun(project), 'one');
    expect(row).toMatchObject({ isolation: level, output: `done, ${seen}` });
    expect(row.network).toEqual(level === 'process' ? undefined : { refused: { 'example.com': 1 } });
    expect(await project.orphans()).toEqual([]);
    expect(project.litter()).toEqual([]);
  });

  test('the death of a server is told with what it printed', async () => {
    const command = ['sh', '-c', 'echo "no licence" >&2; exit 3'];
    await using project = await projectOf({ ...HTTP, server: { command } }, level);
    expect(await project.assay('run')).toMatchObject({ code: 3 });
    expect(rowOf(newestRun(project), 'one').error).toMatchObject({
      kind: 'target-unavailable',
      message: expect.stringContaining(
        'ended with exit code 3; the end of its stderr:\nno licence',
      ) as string,
    });
  });
});

test('a module that ends its process has crashed, and a missing mount is an error of the sandbox', async () => {
  await using project = openProject({
    'agent.mjs': 'export default () => process.exit(4);',
    'a.eval.yaml': { tests, execution: { targets: ['crashes', 'lacks'] } },
    'gone/x': '',
    'assay.config.json': {
      targets: {
        crashes: { type: 'module', module: './agent.mjs', sandbox: { level: 'namespace' } },
        lacks: {
          ...HTTP,
          server: { ...HTTP.server, cwd: './gone' },
          sandbox: { level: 'namespace' },
        },
      },
    },
  });
  expect(await project.assay('run')).toMatchObject({ code: 3 });
  const kinds = rowsOf(newestRun(project)).map(({ target, error }) => [target, error?.kind]);
  expect(Object.fromEntries(kinds)).toEqual({ crashes: 'runner-crash', lacks: 'sandbox' });
  expect(project.litter()).toEqual([]);
});

test('an http target without `server` has no sandbox of its own, and ignores that of the run', async () => {
  const port = await startServer();
  const bot = { type: 'http', url: `http://127.0.0.1:${port}/` };
  await using project = openProject({
    'a.eval.yaml': { tests },
    'assay.config.json': { targets: { bot: { ...bot, sandbox: { level: 'namespace' } } } },
  });
  const refused = await project.assay('run');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('this target of type http starts no program, so it has no `sandbox`');
  project.write({ 'assay.config.json': { run: { sandbox: { level: 'namespace' } }, targets: { bot } } });
  await project.assay('run');
  expect(rowOf(newestRun(project), 'one').isolation).toBeUndefined();
});

test('opencode finds the `rg` of PATH in its namespace, and not what is next to it', async () => {
  const shared = folder();
  await using project = openProject({
    'a.eval.yaml': { tests },
    'tools/rg': '#!/bin/sh\necho "from rg"; ls "$(dirname "$0")"\n',
    'tools/secret': 'x',
  });
  const script = join(import.meta.dirname, '..', 'support', 'fake-agent.mjs');
  installFakeAgent(project.path('bin'), ['opencode'], { does: `rg > '${shared}/seen'` });
  const PATH = `${project.path('bin')}:${project.path('tools')}:${process.env['PATH'] ?? ''}`;
  const mount = [{ from: script }, { from: shared, write: true }];
  project.write({
    'assay.config.json': {
      targets: {
        agent: { type: 'opencode', model: 'a/b', env: { PATH }, sandbox: { level: 'namespace', mount } },
      },
    },
  });
  await project.start(['run'], { PATH }).ended;
  expect(readFileSync(join(shared, 'seen'), 'utf8')).toBe('from rg\nrg\n');
});
