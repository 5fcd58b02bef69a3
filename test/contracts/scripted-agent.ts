import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

import { onTestFinished } from 'vitest';

/** A request's document, as far as tests look into it. */
export interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Sent;
  /** Which connection it came over, from 1. */
  readonly connection: number;
}

export interface Scripted {
  readonly url: string;
  readonly seen: readonly Seen[];
  readonly sockets: ReadonlySet<Socket>;
}

export type Respond = (response: ServerResponse, number: number, request: IncomingMessage) => void;

/** A real server on loopback that notes what it is asked; `respond` gets the number of the request, from 1. */
export async function serve(respond: Respond): Promise<Scripted> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const numbers = new Map<Socket, number>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const connection = numbers.get(request.socket) ?? 0;
    seen.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(text) as Sent,
      connection,
    });
    respond(response, seen.length, request);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    numbers.set(socket, numbers.size + 1);
    socket.on('close', () => sockets.delete(socket));
  });
  return { url: `${await listening(server)}/agent`, seen, sockets };
}

/** A server below HTTP; `onRequest` is called with the socket when the first bytes of each request have come. */
export async function serveRaw(
  onRequest: (socket: Socket, number: number) => void,
): Promise<{ url: string; count: () => number; connections: () => number }> {
  let count = 0;
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      if (chunk.toString('latin1').startsWith('POST ')) onRequest(socket, ++count);
    });
  });
  return { url: `${await listening(server)}/agent`, count: () => count, connections: () => connections };
}

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function say(content: string) {
  return { messages: [{ role: 'assistant', content }] };
}

async function listening(server: net.Server): Promise<string> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
