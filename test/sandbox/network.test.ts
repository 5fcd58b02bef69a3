import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';

import { describe, expect, onTestFinished, test } from 'vitest';

import type { MissedConnection } from '../../src/core/missed-connections.ts';
import type { NetworkAccess, SandboxSettings } from '../../src/core/sandbox.ts';
import { OWN_TOKEN } from '../../src/lib/process/own-token.ts';
import { openSandbox } from '../../src/sandboxes/open-sandbox.ts';
import { CONTAINER } from '../contracts/container.ts';
import { folder, inside, sandboxPlace } from '../contracts/sandbox.ts';

/** A server of this machine that says what it was asked. */
async function startServer(): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.end(`${request.method} ${request.url} ${Buffer.concat(chunks).length}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

interface Asked {
  readonly env?: Readonly<Record<string, string>>;
  readonly hosts?: readonly string[];
}

/** Runs a program of Node in a sandbox, and returns what it printed and which connections it missed. */
async function askedIn(settings: SandboxSettings, script: string, { env = {}, hosts }: Asked) {
  const missed: MissedConnection[] = [];
  const sandbox = openSandbox(settings, sandboxPlace());
  const result = await inside(
    sandbox,
    folder(),
    { command: ['node', '--input-type=module', '-e', `${TOOLS}\n${script}`], env },
    { hosts, missed: (connection) => missed.push(connection) },
  );
  return { said: result.stdout.trim(), missed, ...(result.exitCode === 0 ? {} : { stderr: result.stderr }) };
}

/** `direct` asks without a proxy, `through` with CONNECT, `plain` with a whole URL. Each prints one line. */
const TOOLS = `
import { request } from 'node:http';
const proxy = new URL(process.env.HTTPS_PROXY ?? 'http://127.0.0.1:1');
const answerTo = (options, body) => new Promise((resolve) => {
  const asking = request({ agent: false, ...options }, (response) => {
    let text = '';
    response.on('data', (chunk) => (text += chunk));
    response.on('end', () => resolve(response.statusCode + ' ' + text.trim()));
  });
  asking.on('error', (error) => resolve(error.code));
  asking.end(body);
});
const direct = async (port, path = '/', body) => console.log(await answerTo({ host: '127.0.0.1', port, path, method: body ? 'POST' : 'GET' }, body));
const plain = async (url) => console.log(await answerTo({ host: proxy.hostname, port: proxy.port, path: url }));
const through = (place) => new Promise((resolve) => {
  const asking = request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: place, agent: false });
  asking.on('connect', (response, socket) => {
    if (response.statusCode !== 200) {
      console.log(response.statusCode);
      socket.destroy();
      return resolve();
    }
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    socket.on('end', () => resolve(console.log(text.split('\\r\\n').at(-1))));
    socket.write('GET /tunnel HTTP/1.0\\r\\n\\r\\n');
  });
  asking.on('error', (error) => resolve(console.log(error.code)));
  asking.end();
});
`;

const LEVELS = { namespace: { level: 'namespace' }, container: CONTAINER } as const;

describe.each(Object.entries(LEVELS))('%s', (_, level) => {
  const asked = async (network: NetworkAccess, script: string, more: Asked = {}) =>
    await askedIn({ ...level, network }, script, more);

  test('a listed address of this machine is reached on the same port, with large bodies, and no other is', async () => {
    const [port, other] = [await startServer(), await startServer()];
    const script = `await direct(${port}, '/a', Buffer.alloc(3_000_000)); await direct(${other});`;
    expect(await asked([`127.0.0.1:${port}`], script)).toEqual({
      said: '200 POST /a 3000000\nECONNREFUSED',
      missed: [],
    });
  });

  test('a listed address is reached through the proxy, and others are refused and counted', async () => {
    const [port, other] = [await startServer(), await startServer()];
    const script = `
    await through('127.0.0.1:${port}'); await plain('http://127.0.0.1:${port}/b?c');
    await through('example.com:443'); await through('127.0.0.1:${other}'); await plain('http://example.org/');
    await through('nonsense');`;
    const { said, missed } = await asked([`127.0.0.1:${port}`], script);
    expect(said.split('\n')).toEqual([
      'GET /tunnel 0',
      '200 GET /b?c 0',
      '403',
      '403',
      '403 the sandbox of this program does not allow a connection to this host',
      '403',
    ]);
    expect(missed.map(({ host, why }) => `${why} ${host}`)).toEqual([
      'refused example.com',
      'refused 127.0.0.1',
      'refused example.org',
      'refused nonsense',
    ]);
  });

  test('a name that does not resolve and a port without a server are unreachable, and counted', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    const script = `await through('name.invalid:443'); await plain('http://name.invalid:80/'); await direct(${port});`;
    const network = ['name.invalid:443', 'name.invalid:80', `127.0.0.1:${port}`];
    const { said, missed } = await asked(network, script);
    expect(said.split('\n')).toEqual([
      '502',
      '502 could not connect to name.invalid:80',
      expect.stringMatching(/ECONNRESET|EPIPE/),
    ]);
    expect(missed.map(({ host, why }) => `${why} ${host}`)).toEqual([
      'unreachable name.invalid',
      'unreachable name.invalid',
      'unreachable 127.0.0.1',
    ]);
  });

  test('a listed port below 1024 is opened like any other', async () => {
    // Nothing listens there, so the connection is closed and counted. It would be refused at once if it led nowhere.
    const { said, missed } = await asked(['127.0.0.1:97'], 'await direct(97); await direct(98);');
    expect(said).toMatch(/^(?:ECONNRESET|EPIPE)\nECONNREFUSED$/);
    expect(missed).toEqual([{ host: '127.0.0.1', why: 'unreachable' }]);
  });

  test('by default, the provider and each URL in a variable *_BASE_URL can be reached', async () => {
    const [base, provider, other] = [await startServer(), await startServer(), await startServer()];
    const script = `await direct(${base}); await direct(${provider}); await direct(${other});`;
    const env = { SOME_BASE_URL: `http://localhost:${base}/v1`, OTHER_URL: `http://localhost:${other}` };
    const { said } = await asked('provider', script, { env, hosts: [`127.0.0.1:${provider}`] });
    expect(said.split('\n')).toEqual(['200 GET / 0', '200 GET / 0', 'ECONNREFUSED']);
  });

  test('with network none, there is neither a proxy nor a base URL', async () => {
    const port = await startServer();
    const env = { SOME_BASE_URL: `http://127.0.0.1:${port}` };
    const { said } = await asked('none', `await direct(${port}); console.log(process.env.HTTPS_PROXY);`, {
      env,
    });
    expect(said.split('\n')).toEqual(['ECONNREFUSED', 'undefined']);
  });

  test.each([
    ['none', 'none'],
    ['a list', ['127.0.0.1:9']],
  ] as const)(
    'with network %s, names and addresses are refused, and no program waits for an answer that never comes',
    async (_name, network) => {
      const script = `
      import { lookup, resolve4 } from 'node:dns/promises';
      import { connect } from 'node:net';
      const ends = (asking) => asking.then(() => 'answered', ({ code }) => code);
      const connected = (host) => new Promise((resolve, reject) =>
        connect(443, host).on('connect', resolve).on('error', reject));
      console.log(await ends(lookup('registry.npmjs.org')), await ends(resolve4('registry.npmjs.org')));
      for (const host of ['192.0.2.1', '10.0.0.1', '127.0.0.1']) console.log(host, await ends(connected(host)));`;
      const { said } = await asked(network, script);
      // A wait would end with ETIMEOUT or ETIMEDOUT.
      expect(said.split('\n')).toEqual([
        'EAI_AGAIN ECONNREFUSED',
        '192.0.2.1 ENETUNREACH',
        '10.0.0.1 ENETUNREACH',
        '127.0.0.1 ECONNREFUSED',
      ]);
    },
  );

  test('a proxy of yours is replaced, and the loopback address is asked without a proxy', async () => {
    const env = {
      https_proxy: 'http://10.0.0.1:8080',
      ALL_PROXY: 'http://10.0.0.1:8080',
      NO_PROXY: 'example.com',
    };
    const script = `
    const names = Object.keys(process.env).filter((name) => /_proxy$/i.test(name)).sort();
    console.log(JSON.stringify(Object.fromEntries(names.map((name) => [name, process.env[name]]))));`;
    const { said } = await asked('provider', script, { env });
    const proxy = 'http://127.0.0.1:61128';
    const local = 'localhost,127.0.0.1,::1';
    expect(JSON.parse(said)).toEqual({
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      http_proxy: proxy,
      https_proxy: proxy,
      NO_PROXY: local,
      no_proxy: local,
      NODE_USE_ENV_PROXY: '1',
    });
  });

  test('a program that opens many connections and leaves them open is ended, and nothing is left', async () => {
    const script = `
    import { connect } from 'node:net';
    let left = 300;
    const opened = () => (left -= 1) === 0 && process.exit(0);
    for (let n = 0; n < 300; n += 1) connect(proxy.port, proxy.hostname).on('connect', opened).on('error', opened);`;
    expect(await asked('provider', script)).toEqual({ said: '', missed: [] });
    expect(readdirSync(tmpdir()).filter((name) => /^[nc]-/.test(name) && name.includes(OWN_TOKEN))).toEqual(
      [],
    );
  });
});
