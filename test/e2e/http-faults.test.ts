import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { refusingPort } from '../support/refusing-port.ts';
import type { Ended } from './support/cli.ts';
import { erroredWith, outcomeOf, passedWith } from './support/outcome.ts';
import { newestRun, openProject, rowOf, rowsOf, type Project } from './support/project.ts';

type Answer = (response: ServerResponse, visit: number, request: IncomingMessage) => void;

const GOOD = JSON.stringify({ messages: [{ role: 'assistant', content: 'the answer' }] });
const json = (body: string) => (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(body);
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end('something is wrong here');

/** Path -> what the agent does at its n-th visit. */
const answers: Readonly<Record<string, Answer>> = {
  good: json(GOOD),
  'answers 500 twice, then works': (response, visit) =>
    visit <= 2 ? status(500)(response) : json(GOOD)(response),
  'answers 500 for ever': status(500),
  'answers 429 once with retry-after': (response, visit) =>
    visit === 1 ? status(429, { 'retry-after': '0' })(response) : json(GOOD)(response),
  'answers 404': status(404),
  redirects: status(302, { location: '/good' }),
  hangs: () => {},
  'hangs in the middle': (response) => void response.writeHead(200).write('{"messages": ['),
  'sends 50 MB': (response) => sendMegabytes(response, 50),
  'sends without end': (response) => sendMegabytes(response, 10_000),
  'closes in the middle': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"messages": [', () => response.destroy());
  },
  'closes a chunked body in the middle': (response) => {
    response.writeHead(200);
    response.write(GOOD.slice(0, 20), () => response.destroy());
  },
  'closes without a word': (_, __, request) => void request.socket.destroy(),
  'answers a wrong shape': json('{"messages": "the answer"}'),
  'answers a message of the user': json('{"messages": [{"role": "user", "content": "the answer"}]}'),
  'answers no JSON': json('<html>the answer</html>'),
  'answers nothing': json(''),
  'answers invalid UTF-8': (response) => {
    const [before = '', after = ''] = GOOD.split('answer');
    response
      .writeHead(200)
      .end(Buffer.concat([Buffer.from(`${before}answer`), Buffer.from([0xff]), Buffer.from(after)]));
  },
};

/** Reached by other ports than the server's. */
const elsewhere = ['refuses', 'speaks no HTTP'] as const;

const visits = new Map<string, number>();
let project: Project;
let run: string;
let ended: Ended;
let server: Server;
let tcpServer: TcpServer;
let nobody: Awaited<ReturnType<typeof refusingPort>>;

beforeAll(async () => {
  server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1));
    const visit = (visits.get(name) ?? 0) + 1;
    visits.set(name, visit);
    response.on('error', () => {});
    request.resume().on('end', () => answers[name]?.(response, visit, request));
  });
  tcpServer = createTcpServer(
    (socket) => void socket.on('error', () => {}).end('220 mail.example.test ready\r\n'),
  );
  const url = `http://127.0.0.1:${await listen(server)}`;
  const tcpUrl = `http://127.0.0.1:${await listen(tcpServer)}`;
  nobody = await refusingPort();
  const refusing = `http://127.0.0.1:${nobody.port}`;
  const target = (name: string) => ({ type: 'http', url: `${url}/${encodeURIComponent(name)}` });
  project = openProject({
    'assay.config.json': {
      run: { concurrency: 8 },
      targets: {
        ...Object.fromEntries(Object.keys(answers).map((name) => [name, target(name)])),
        'answers 500 twice, then works': {
          ...target('answers 500 twice, then works'),
          retryInfrastructure: 2,
        },
        hangs: { ...target('hangs'), timeoutMs: 3_000 },
        'hangs in the middle': { ...target('hangs in the middle'), timeoutMs: 3_000 },
        // Less than what it waits between its three looks.
        refuses: { type: 'http', url: refusing, timeoutMs: 2_000, idleTimeoutMs: 2_000 },
        'speaks no HTTP': { type: 'http', url: tcpUrl },
      },
    },
    'faults.eval.yaml': {
      tests: [...Object.keys(answers), ...elsewhere].map((id) => ({
        id,
        input: 'What is it?',
        execution: { target: id },
        assert: [{ type: 'contains', value: 'the answer' }],
      })),
    },
  });
  ended = await project.assay('run');
  run = newestRun(project);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
  tcpServer.close();
  await nobody[Symbol.asyncDispose]();
});

const expected: Readonly<Record<string, unknown>> = {
  good: passedWith('the answer'),
  'answers 500 twice, then works': passedWith('the answer', { attempts: 3 }),
  'answers 500 for ever': erroredWith('http-error', { detail: 'http-500', attempts: 2 }),
  'answers 429 once with retry-after': passedWith('the answer', { attempts: 2 }),
  'answers 404': erroredWith('http-error', { detail: 'http-404' }),
  redirects: erroredWith('http-error', { detail: 'http-302' }),
  hangs: erroredWith('timeout'),
  'hangs in the middle': erroredWith('timeout'),
  'sends 50 MB': erroredWith('contract', { detail: 'output-limit' }),
  'sends without end': erroredWith('contract', { detail: 'output-limit' }),
  'closes in the middle': erroredWith('target-unavailable', { detail: 'connection-lost', attempts: 2 }),
  'closes a chunked body in the middle': erroredWith('target-unavailable', {
    detail: 'connection-lost',
    attempts: 2,
  }),
  'closes without a word': erroredWith('target-unavailable', { attempts: 2 }),
  'answers a wrong shape': erroredWith('contract'),
  'answers a message of the user': erroredWith('contract'),
  'answers no JSON': erroredWith('contract'),
  'answers nothing': erroredWith('contract'),
  'answers invalid UTF-8': passedWith('the answer\ufffd'),
  refuses: erroredWith('target-unavailable', { attempts: 2 }),
  'speaks no HTTP': erroredWith('contract'),
};

describe('an HTTP agent that', () => {
  test.each([...Object.keys(answers), ...elsewhere])('%s has the outcome that says so', (name) => {
    expect(outcomeOf(rowOf(run, name))).toEqual(expected[name]);
  });
});

test.each([
  ['answers 500 for ever', /status 500: something is wrong here/],
  ['sends 50 MB', /33554432 bytes/],
  ['answers a wrong shape', /messages/],
  ['answers a message of the user', /messages\.0\.role/],
  ['refuses', /ECONNREFUSED|refused/],
])('the error of an HTTP agent that %s names what happened', (name, pattern) => {
  expect(rowOf(run, name).error?.message).toMatch(pattern);
});

test('a status is never repeated within an attempt, and a timeout is not tried again', () => {
  expect(
    Object.fromEntries(
      ['answers 404', 'answers 500 for ever', 'hangs'].map((name) => [name, visits.get(name)]),
    ),
  ).toEqual({
    'answers 404': 1,
    'answers 500 for ever': 2,
    hangs: 1,
  });
});

test('every trial has one row, and what could not be measured decides the exit code', () => {
  expect(rowsOf(run).length).toBe(Object.keys(expected).length);
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 3, stderr: '' });
});

async function listen(listener: Server | TcpServer): Promise<number> {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return (listener.address() as AddressInfo).port;
}

function sendMegabytes(response: ServerResponse, count: number): void {
  const megabyte = Buffer.alloc(2 ** 20, ' ');
  let left = count;
  const send = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(megabyte)) return void response.once('drain', send);
    }
    response.end();
  };
  response.writeHead(200);
  send();
}
