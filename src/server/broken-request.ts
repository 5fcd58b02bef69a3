import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Problem } from '../api/resources/problem.ts';
import { PROTECTING } from './guard.ts';
import { Refusal } from './refusal.ts';

/** Answers requests that are no HTTP, or whose headers are too large or too slow, as all others are refused. */
export function answerBroken(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => answers.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const last = answers.get(socket);
    const isAnswering = last?.headersSent === true && !last.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) socket.destroy();
    else socket.end(textOf(REFUSALS[error.code ?? ''] ?? NO_HTTP));
  });
}

const NO_HTTP = new Refusal(400, {
  code: 'http-syntax',
  message: 'the request is not valid HTTP',
  hint: 'send it with an HTTP client',
});

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: new Refusal(431, {
    code: 'headers-too-large',
    message: 'the headers of the request are too large',
    hint: 'send less than 16 kB of headers',
  }),
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal(408, {
    code: 'headers-late',
    message: 'the headers of the request did not arrive in time',
    hint: 'check the connection, and send the request again',
  }),
};

const REASONS = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' };

function textOf({ status, refused: { code, message, hint } }: Refusal): string {
  const problem: Problem = {
    error: { code, message, param: null, ...(hint === undefined ? {} : { hint }), request_id: randomUUID() },
  };
  const body = JSON.stringify(problem);
  const headers = {
    ...PROTECTING,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const reason = REASONS[status as keyof typeof REASONS];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`;
}
