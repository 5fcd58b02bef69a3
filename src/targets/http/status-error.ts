import type { IncomingHttpHeaders } from 'node:http';

import { MeasurementError } from '../../core/errors.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';

export interface StatusAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** The error of a status outside 2xx, with the first 500 characters of its body. */
export function statusError({ status, headers, body }: StatusAnswer, shown: string): MeasurementError {
  const text = decodeUtf8(body).trim().slice(0, 500);
  const isRedirect = status >= 300 && status < 400;
  const said = isRedirect ? ', a redirect, and redirects are not followed' : text === '' ? '' : `: ${text}`;
  return new MeasurementError(`${shown} answered with status ${status}${said}`, {
    stage: 'target',
    kind: 'http-error',
    detail: `http-${status}`,
    transient: status === 408 || status === 429 || status >= 500,
    retryAfterMs: retryAfterMs(headers),
    hint: isRedirect ? 'put the final address into the `url` of the target' : undefined,
  });
}

/** How long the other side asks to wait: `retry-after-ms`, else `retry-after` in seconds or as a date. */
export function retryAfterMs(headers: IncomingHttpHeaders): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (exact >= 0) return exact;
  const given = headers['retry-after'];
  if (given === undefined || given.trim() === '') return undefined;
  const seconds = Number(given);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
