import type { IncomingMessage } from 'node:http';

import { openBody } from './body.ts';
import { failureOfSending, failedFetch, silentError, terminated, type SilentCode } from './fetch-errors.ts';
import type { Answered } from './light-response.ts';
import type { Hop } from './redirect.ts';
import { placeOf, send, type Outgoing, type Pools } from './send.ts';

/** The limits of Node's own `fetch`. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_MS = 300_000;

/** The head of an answer, and its body as a stream. */
export interface HopAnswer extends Answered {
  readonly location: string | undefined;
  /** Releases an answer that is not read. */
  drop(): void;
}

/** Sends one request. The signal, or silence of the server, ends it until its last byte. */
export function sendHop(hop: Hop, pools: Pools, signal: AbortSignal | undefined): Promise<HopAnswer> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    let breakOff: (error: unknown) => void = reject;
    let failure = failedFetch;
    let silentCode: SilentCode = 'UND_ERR_HEADERS_TIMEOUT';
    const fail = (error: unknown): void => {
      stop();
      breakOff(error);
      request.destroy();
    };
    const onAbort = (): void => fail(signal?.reason);
    const stop = (): void => {
      clearTimeout(silence);
      signal?.removeEventListener('abort', onAbort);
    };
    const request = send(outgoing(hop, pools), {
      // Also for an answer that has begun: invalid HTTP in its body is reported here.
      failed: (sending) => fail(failure(failureOfSending(sending))),
      answered(response) {
        const { stream, fail: failBody } = openBody(response, hop.method, {
          moved: () => void silence.refresh(),
          ended: stop,
          broken: (cause) => fail(terminated(cause)),
          refused: fail,
          dropped: () => fail(undefined),
        });
        breakOff = failBody;
        failure = terminated;
        silentCode = 'UND_ERR_BODY_TIMEOUT';
        resolve({ ...headOf(response), body: stream, drop: () => fail(undefined) });
      },
    });
    const silence = setTimeout(() => fail(failure(silentError(silentCode))), SILENCE_MS);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function headOf(response: IncomingMessage) {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders, headers } = response;
  return { status, statusText, rawHeaders, location: headers.location };
}

function outgoing({ url, method, headers, body }: Hop, { isSecure, pool }: Pools): Outgoing {
  const list = ['host', url.host];
  for (const [name, value] of headers) list.push(name, value);
  for (const [name, value] of USUAL) if (!headers.has(name)) list.push(name, value);
  if (body !== undefined) list.push('content-length', String(Buffer.byteLength(body)));
  return {
    options: { method, ...placeOf(url) },
    headers: list,
    body,
    isSecure,
    pool,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  };
}

const USUAL = [
  ['accept', '*/*'],
  ['accept-encoding', 'gzip, deflate, br'],
  ['user-agent', 'node'],
] as const;
