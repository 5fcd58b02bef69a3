import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';

import type { World } from '../../core/target.ts';
import { send, type SendFailure } from '../../lib/http/send.ts';

/** An endpoint and its pool of open connections. */
export interface Endpoint {
  /** Without credentials and query, for messages. */
  readonly shown: string;
  readonly options: RequestOptions;
  /** Alternating names and values, for every request. */
  readonly headers: readonly string[];
  readonly isSecure: boolean;
  readonly pool: Agent;
  /** For a request that must not use a connection of the pool. */
  readonly fresh: Agent;
  readonly connectTimeoutMs: number;
  readonly maxBodyBytes: number;
}

export interface Call {
  readonly body: string;
  readonly idempotencyKey: string;
  readonly onByte: () => void;
  readonly hold?: World['hold'] | undefined;
}

/** The result: an answer, or how the connection failed. */
export type Exchanged =
  | {
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Buffer;
      readonly isCut: boolean;
    }
  | SendFailure;

/** Keeps only as much of an error body as the message shows. */
const STATUS_BODY_BYTES = 2_000;

/** Sends one request. Rejects only with the signal's reason. `pool` decides which connections it may use. */
export function exchange(
  endpoint: Endpoint,
  call: Call & { readonly pool: Agent },
  signal: AbortSignal,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      stopListening();
      request.destroy();
      reject(signal.reason);
    };
    const stopListening = (): void => signal.removeEventListener('abort', onAbort);
    const settle = (result: Exchanged): void => {
      stopListening();
      resolve(result);
    };
    const { options, isSecure, connectTimeoutMs } = endpoint;
    const { body, pool } = call;
    const outgoing = { options, isSecure, connectTimeoutMs, body, pool };
    const request: ClientRequest = send(
      { ...outgoing, headers: requestHeaders(endpoint, call) },
      {
        answered: (response) => readBody({ request, response, endpoint, call }, settle),
        failed: settle,
      },
    );
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

function requestHeaders({ headers }: Endpoint, { body, idempotencyKey }: Call): string[] {
  const length = String(Buffer.byteLength(body));
  return [...headers, 'content-length', length, 'idempotency-key', idempotencyKey];
}

interface Reading {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
  readonly endpoint: Endpoint;
  readonly call: Call;
}

function readBody({ request, response, endpoint, call }: Reading, settle: (result: Exchanged) => void): void {
  const { statusCode: status = 0, headers } = response;
  const isWanted = status >= 200 && status < 300;
  const maxBytes = isWanted ? endpoint.maxBodyBytes : STATUS_BODY_BYTES;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const finish = (isCut: boolean): void => {
    const [first] = chunks;
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    settle({ status, headers, body, isCut });
  };
  const fail = (failure: NodeJS.ErrnoException): void =>
    settle({ failure, isConnectTimeout: false, hasAnswered: true, wasReused: false });
  response.on('data', (chunk: Buffer) => {
    call.onByte();
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes <= maxBytes) return;
    finish(true);
    request.destroy();
  });
  response.on('end', () => finish(false));
  response.on('error', fail);
  response.on('aborted', () => fail(new Error('the connection was closed in the middle of the answer')));
}
