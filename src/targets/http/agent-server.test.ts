import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { ask, servicesOf, temporaryFolder, worldOf } from '../../../test/contracts/target.ts';
import type { Target } from '../../core/target.ts';
import { countStarted } from '../../../test/support/started-processes.ts';
import { freePort } from './agent-server.ts';
import { httpTarget } from './http.ts';

const { signal } = new AbortController();

/** Listens where PORT says, answers GET /ready with 204 and everything else with its environment. */
const AGENT = `
  const { PORT, MINE } = process.env;
  require('node:http').createServer((request, response) => {
    if (request.url === '/die') { console.error('out of memory'); process.exit(9); }
    if (request.url === '/ready') return response.writeHead(204).end();
    response.end(JSON.stringify({ messages: [{ role: 'assistant', content: [PORT, MINE, process.argv[1]].join(' ') }] }));
  }).listen(Number(PORT), '127.0.0.1', () => console.error('listening'));
`;

function agentOf(config: object, directory = temporaryFolder()): Target {
  const target = httpTarget.create(httpTarget.config.parse(config), servicesOf({ directory, name: 'bot' }));
  onTestFinished(async () => await target[Symbol.asyncDispose]?.());
  return target;
}

test("the agent's own program is started on a free port, asked, and ended", async () => {
  const started = countStarted();
  const target = agentOf({
    url: 'http://127.0.0.1:{PORT}/agent',
    server: {
      command: [process.execPath, '-e', AGENT, '--', 'port={PORT}'],
      env: { MINE: 'at {PORT}' },
      url: 'http://127.0.0.1:{PORT}/ready',
    },
  });
  await target.prepare?.(signal);
  const session = await target.open(worldOf(), signal);
  const { entries } = await ask(session, 'Hi');
  const [entry] = entries;
  const text = entry?.type === 'message' && 'text' in entry.parts[0]! ? entry.parts[0].text : '';
  expect(text).toMatch(/^(\d+) at \1 port=\1$/);
  expect(started()).toBe(1);
  await target[Symbol.asyncDispose]?.();
  expect(started()).toBe(0);
  expect(await isOpen(Number(text.split(' ')[0]))).toBe(false);
});

test('a relative program starts next to the config, and an open port is enough', async () => {
  const directory = temporaryFolder();
  await mkdir(join(directory, 'bin'));
  const script = `#!/bin/sh\npwd > where\nexec "${process.execPath}" -e '${AGENT.replaceAll("'", '"')}' x\n`;
  await writeFile(join(directory, 'bin/agent'), script, { mode: 0o755 });
  const port = await freePort();
  const target = agentOf(
    { url: `http://127.0.0.1:${port}/`, server: { command: ['./bin/agent'] } },
    directory,
  );
  await target.prepare?.(signal);
  expect(await readFile(join(directory, 'where'), 'utf8')).toBe(`${directory}\n`);
  expect((await ask(await target.open(worldOf(), signal), 'Hi')).entries).toHaveLength(1);
});

test.each([
  [
    [process.execPath, '-e', `console.error('no key'); process.exitCode = 7`],
    'server-died',
    'the server of target bot ended with exit code 7; the end of its stderr:\nno key',
  ],
  [
    ['no-such-agent'],
    'missing-binary',
    'the server of target bot could not be started: no-such-agent: program not found',
  ],
])('a server that ends before it is ready is target-unavailable: %j', async (command, detail, message) => {
  const target = agentOf({ url: 'http://127.0.0.1:{PORT}/', server: { command } });
  await expect(target.prepare?.(signal)).rejects.toMatchObject({
    stage: 'target',
    kind: 'target-unavailable',
    transient: false,
    detail,
    message,
  });
});

/** Finds its port taken in the first starts, and tells in `starts` which ports it was given. */
const LATE = (taken: number) => `
  const { appendFileSync, readFileSync } = require('node:fs');
  appendFileSync('starts', process.env.PORT + '\\n');
  if (readFileSync('starts', 'utf8').split('\\n').length - 1 > ${taken}) { ${AGENT} }
  else { console.error('Error: listen EADDRINUSE: address already in use'); process.exitCode = 1; }
`;

async function startedLate(taken: number, url = 'http://127.0.0.1:{PORT}/') {
  const directory = temporaryFolder();
  const target = agentOf({ url, server: { command: [process.execPath, '-e', LATE(taken)] } }, directory);
  const failure = await target.prepare?.(signal).catch((error: unknown) => error);
  const ports = (await readFile(join(directory, 'starts'), 'utf8')).trim().split('\n');
  return { target, failure, ports };
}

test('when another program takes the port first, another port is tried', async () => {
  const { target, failure, ports } = await startedLate(1);
  expect(failure).toBeUndefined();
  expect(new Set(ports).size).toBe(2);
  const { entries } = await ask(await target.open(worldOf(), signal), 'Hi');
  expect(JSON.stringify(entries)).toContain(String(ports[1]));
});

test('a few ports are tried, and one that was written only once; then the server has the last word', async () => {
  const { failure, ports } = await startedLate(9);
  expect(ports).toHaveLength(3);
  const written = await startedLate(9, `http://127.0.0.1:${await freePort()}/`);
  expect(written.ports).toHaveLength(1);
  const taken = {
    kind: 'target-unavailable',
    detail: 'port-in-use',
    transient: false,
    message:
      'the server of target bot ended with exit code 1; the end of its stderr:\nError: listen EADDRINUSE: address already in use',
  };
  expect([failure, written.failure]).toMatchObject([taken, taken]);
});

test('a server that never listens is ended when its time is up', async () => {
  const started = countStarted();
  const target = agentOf({
    url: 'http://127.0.0.1:{PORT}/',
    server: { command: 'sleep 60', timeoutMs: 200 },
  });
  await expect(target.prepare?.(signal)).rejects.toMatchObject({
    kind: 'target-unavailable',
    detail: 'server-not-ready',
    message: expect.stringMatching(
      /^the server of target bot was not ready at 127\.0\.0\.1:\d+ after 200 ms$/,
    ),
  });
  expect(started()).toBe(0);
});

test('an abort while it starts ends it', async () => {
  const started = countStarted();
  const controller = new AbortController();
  const target = agentOf({ url: 'http://127.0.0.1:{PORT}/', server: { command: 'sleep 60' } });
  const prepared = target.prepare?.(controller.signal);
  const outcome = prepared?.catch((error: unknown) => error);
  await expect.poll(started).toBeGreaterThan(0);
  controller.abort(new Error('stopped'));
  expect(await outcome).toEqual(new Error('stopped'));
  expect(started()).toBe(0);
});

test('a port in use is reported before anything is started', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const target = agentOf({ url: `http://127.0.0.1:${port}/`, server: { command: ['true'] } });
  await expect(target.prepare?.(signal)).rejects.toMatchObject({ detail: 'port-in-use', transient: false });
});

test('a server that dies later explains why its target is gone', async () => {
  const target = agentOf({
    url: 'http://127.0.0.1:{PORT}/die',
    server: { command: [process.execPath, '-e', AGENT] },
  });
  await target.prepare?.(signal);
  await expect(ask(await target.open(worldOf(), signal), 'Hi')).rejects.toMatchObject({
    kind: 'target-unavailable',
    detail: 'server-died',
    transient: false,
    message:
      'the server of target bot ended with exit code 9; the end of its stderr:\nlistening\nout of memory',
  });
});

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
