import { once } from 'node:events';
import { connect } from 'node:net';

import { expect, test } from 'vitest';

import { viewedRuns } from '../../test/support/viewed-runs.ts';

const { url } = viewedRuns();

/** What a server answers to bytes, until it closes the connection. */
async function answerTo(bytes: string): Promise<string> {
  const { hostname, port } = new URL(url());
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let answer = '';
  socket.on('error', () => undefined).setEncoding('utf8');
  socket.on('data', (text: string) => (answer += text));
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

const HOST = 'Host: 127.0.0.1';
const many = (count: number) => Array.from({ length: count }, (_, at) => `x-${at}: ${at}\r\n`).join('');

test.each([
  ['large header', `GET / HTTP/1.1\r\n${HOST}\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'headers-too-large'],
  ['flood of headers', `GET / HTTP/1.1\r\n${HOST}\r\n${many(5000)}\r\n`, 431, 'headers-too-large'],
  ['long address', `GET /${'y'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n\r\n`, 431, 'headers-too-large'],
  ['line that is no request', 'nonsense\r\n\r\n', 400, 'http-syntax'],
  ['TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001', 400, 'http-syntax'],
  [
    'two lengths',
    `POST / HTTP/1.1\r\n${HOST}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx`,
    400,
    'http-syntax',
  ],
  [
    'broken chunk',
    `POST /api/v1/runs HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n`,
    400,
    'http-syntax',
  ],
  ['header with a line break', `GET / HTTP/1.1\r\n${HOST}\r\nx: a\rb\r\n\r\n`, 400, 'http-syntax'],
])('a request with a %s is refused as all others are', async (_, bytes, status, code) => {
  const [head = '', body = ''] = (await answerTo(bytes)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain("Content-Security-Policy: default-src 'self'");
  expect(JSON.parse(body)).toEqual({
    error: {
      code,
      message: expect.any(String),
      param: null,
      hint: expect.any(String),
      request_id: expect.any(String),
    },
  });
});
