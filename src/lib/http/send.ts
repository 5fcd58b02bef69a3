import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';

import { punctualTimer } from '../time/punctual-timer.ts';
import type { AddressGuard } from './address-guard.ts';
import { guardedAgent } from './guarded-agent.ts';
import { http, https } from './node-http.ts';

/** One request as it is sent. */
export interface Outgoing {
  readonly options: RequestOptions;
  /** Alternating names and values: a list is written as it is, which takes half the time of setting each header. */
  readonly headers: readonly string[];
  readonly body?: string | Uint8Array | undefined;
  readonly isSecure: boolean;
  /** The connections that it may use. */
  readonly pool: Agent;
  readonly connectTimeoutMs: number;
}

/** How a connection failed before the head of an answer. */
export interface SendFailure {
  readonly failure: NodeJS.ErrnoException;
  readonly isConnectTimeout: boolean;
  /** A byte of the answer was received. */
  readonly hasAnswered: boolean;
  /** The connection had served a request before, so the server may have closed it meanwhile. */
  readonly wasReused: boolean;
}

export interface Heard {
  answered(response: IncomingMessage): void;
  failed(failure: SendFailure): void;
}

/** Pooled connections, and connections for a single request. */
export interface Pools {
  readonly isSecure: boolean;
  readonly pool: Agent;
  readonly fresh: Agent;
}

export interface PoolOptions {
  /** Closes an unused connection after this time in milliseconds; absent: it stays as long as the server keeps it. */
  readonly idleMs?: number | undefined;
  /** Absent: connections to any address are allowed. */
  readonly guard?: AddressGuard | undefined;
}

/** `protocol`: of a URL, such as `https:`. */
export function openPools(protocol: string, { idleMs, guard }: PoolOptions = {}): Pools {
  const isSecure = protocol === 'https:';
  const { Agent } = isSecure ? https() : http();
  const idle = idleMs === undefined ? {} : { timeout: idleMs };
  const guarded = (agent: Agent): Agent => (guard === undefined ? agent : guardedAgent(agent, guard));
  return {
    isSecure,
    pool: guarded(new Agent({ keepAlive: true, ...idle })),
    fresh: guarded(new Agent({ keepAlive: false })),
  };
}

/** The target of a URL in the form for `node:http`. */
export function placeOf(url: URL): RequestOptions {
  return {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    path: `${url.pathname}${url.search}`,
    ...(url.port === '' ? {} : { port: Number(url.port) }),
  };
}

/** Sends one request; what arrives after `stop` or `destroy` must be ignored by the caller. */
export function send(outgoing: Outgoing, heard: Heard): ClientRequest {
  const { options, headers, body, isSecure, pool, connectTimeoutMs } = outgoing;
  const request = (isSecure ? https() : http()).request({
    ...options,
    agent: pool,
    headers: headers as string[],
  });
  const connection = watchConnection(request, connectTimeoutMs);
  request.on('response', (response) => {
    connection.stop();
    heard.answered(response);
  });
  request.on('error', (failure) => {
    connection.stop();
    heard.failed({ failure, ...connection.state() });
  });
  request.end(body);
  return request;
}

interface Connection {
  state(): Omit<SendFailure, 'failure'>;
  stop(): void;
}

function watchConnection(request: ClientRequest, timeoutMs: number): Connection {
  let timer: ReturnType<typeof punctualTimer> | undefined;
  let isConnectTimeout = false;
  let bytesBefore = 0;
  request.once('socket', (socket) => {
    bytesBefore = socket.bytesRead;
    if (!socket.connecting || request.destroyed) return;
    timer = punctualTimer(timeoutMs, () => {
      isConnectTimeout = true;
      request.destroy(new Error(`connecting timed out after ${timeoutMs} ms`));
    });
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => timer?.stop());
  });
  return {
    stop: () => timer?.stop(),
    state: () => ({
      isConnectTimeout,
      hasAnswered: (request.socket?.bytesRead ?? bytesBefore) > bytesBefore,
      wasReused: request.reusedSocket,
    }),
  };
}
