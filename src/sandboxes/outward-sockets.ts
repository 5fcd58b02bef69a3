import { once } from 'node:events';
import {
  createServer as createHttpServer,
  request as requestHttp,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

import type { MissedConnection } from '../core/missed-connections.ts';
import { hostAndPort, isLoopback, placeOfUrl, type HostAndPort } from '../lib/http/host-and-port.ts';
import type { PortAndSocket } from './forwarder.ts';

/** The only way out of a sandbox without a network: sockets in a private folder, served by this process. */
export interface OutwardSockets extends AsyncDisposable {
  /** The ports that programs inside find on their loopback address. */
  readonly sockets: readonly PortAndSocket[];
  /** The port inside that leads to the proxy for all other hosts. */
  readonly proxyPort: number;
}

/** What programs inside may connect to. */
export interface OutwardRules {
  readonly places: readonly HostAndPort[];
  readonly missed: (connection: MissedConnection) => void;
}

/** Opens the sockets in a folder. Loopback places get a socket of their own, all others share a proxy. */
export async function openOutwardSockets(folder: string, rules: OutwardRules): Promise<OutwardSockets> {
  const local = new Map(rules.places.filter(({ host }) => isLoopback(host)).map((each) => [each.port, each]));
  const proxyPort = proxyPortOf(rules.places);
  const open = new Set<Duplex>();
  const servers: (Server | HttpServer)[] = [proxyServer(rules, open)];
  for (const place of local.values())
    servers.push(createServer({ allowHalfOpen: true }, (inside) => relay(inside, place, { rules, open })));
  const ports = [proxyPort, ...local.keys()];
  const sockets = ports.map((port) => ({ port, path: join(folder, String(port)) }));
  const close = () => closed(servers, open);
  try {
    for (const [at, server] of servers.entries()) {
      server.maxConnections = MOST_CONNECTIONS;
      server.listen(sockets[at]?.path);
      await once(server, 'listening');
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { sockets, proxyPort, [Symbol.asyncDispose]: close };
}

async function closed(servers: readonly (Server | HttpServer)[], open: Iterable<Duplex>): Promise<void> {
  for (const each of open) each.destroy();
  await Promise.all(
    servers.map((server) => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    }),
  );
}

/** So that a program inside cannot use up the open files of this process. */
const MOST_CONNECTIONS = 64;

const FIRST_PROXY_PORT = 61_128;

/** The port inside that leads to the proxy: one that no allowed place has. */
export function proxyPortOf(places: readonly HostAndPort[]): number {
  let port = FIRST_PROXY_PORT;
  while (places.some((place) => place.port === port)) port += 1;
  return port;
}

interface Opened {
  readonly rules: OutwardRules;
  /** Everything that is closed with the sockets. */
  readonly open: Set<Duplex>;
}

/** Speaks both forms of HTTP proxies: CONNECT, and requests for a whole URL. */
function proxyServer(rules: OutwardRules, open: Set<Duplex>): HttpServer {
  const opened = { rules, open };
  const server = createHttpServer((request, response) => pass(request, response, opened));
  server.on('connect', ({ url = '' }: IncomingMessage, inside: Duplex, head: Buffer) => {
    inside.on('error', () => inside.destroy());
    const place = hostAndPort(url);
    if (place === undefined || !isAllowed(place, rules)) {
      refused(place?.host ?? url, rules);
      inside.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\n\r\n${REFUSED}`);
      return;
    }
    if (head.length > 0) inside.unshift(head);
    relay(inside, place, { ...opened, hello: 'HTTP/1.1 200 Connection established\r\n\r\n' });
  });
  server.on('clientError', (_, socket: Duplex) => socket.destroy());
  return server;
}

function pass(request: IncomingMessage, response: ServerResponse, { rules, open }: Opened): void {
  const { url = '', method, headers } = request;
  const place = placeOfUrl(url);
  if (place === undefined || !isAllowed(place, rules)) {
    refused(place?.host ?? url, rules);
    response.writeHead(403, { 'content-type': 'text/plain' }).end(REFUSED);
    return;
  }
  const { pathname, search } = new URL(url);
  const { 'proxy-connection': _, ...kept } = headers;
  const outside = requestHttp({
    ...place,
    agent: false,
    path: `${pathname}${search}`,
    headers: kept,
    ...(method === undefined ? {} : { method }),
  });
  outside.on('socket', (socket) => track(socket, open));
  outside.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  outside.on('error', () => {
    // The client went first.
    if (response.destroyed) return;
    if (response.headersSent) return void response.destroy();
    rules.missed({ host: place.host, why: 'unreachable' });
    response.writeHead(502, { 'content-type': 'text/plain' }).end(unreachable(place));
  });
  response.on('close', () => outside.destroy());
  request.pipe(outside);
}

/** Connects a program inside with a place, and copies bytes until both have ended. */
function relay(
  inside: Duplex,
  place: HostAndPort,
  { rules, open, hello }: Opened & { readonly hello?: string },
): void {
  const outside: Socket = connect({ ...place, allowHalfOpen: true });
  let isOpen = false;
  track(inside, open);
  track(outside, open);
  outside.once('connect', () => {
    isOpen = true;
    if (hello !== undefined) inside.write(hello);
    inside.pipe(outside);
    outside.pipe(inside);
  });
  outside.on('error', () => {
    if (isOpen) return void inside.destroy();
    rules.missed({ host: place.host, why: 'unreachable' });
    if (hello === undefined) inside.destroy();
    else inside.end(`HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain\r\n\r\n${unreachable(place)}`);
  });
  inside.on('error', () => outside.destroy());
  inside.on('close', () => outside.destroy());
  outside.on('close', () => {
    // What was read of the place is still to be written.
    if (isOpen && !inside.writableEnded) inside.end();
  });
}

function track(stream: Duplex, open: Set<Duplex>): void {
  open.add(stream);
  stream.once('close', () => open.delete(stream));
}

function isAllowed({ host, port }: HostAndPort, { places }: OutwardRules): boolean {
  return places.some((place) => place.host === host && place.port === port);
}

function refused(host: string, { missed }: OutwardRules): void {
  missed({ host: host.slice(0, LONGEST_NAME), why: 'refused' });
}

const LONGEST_NAME = 253;

const REFUSED = 'the sandbox of this program does not allow a connection to this host\n';

function unreachable({ host, port }: HostAndPort): string {
  return `could not connect to ${host}:${port}\n`;
}
