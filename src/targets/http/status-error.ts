import type { IncomingHttpHeaders } from 'node:http';

import { MeasurementError } from '../../core/errors.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import { retryAfterMs } from '../../lib/time/retry-after.ts';

export interface StatusAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** The error of a status other than 2xx, with the first 500 characters of the body. */
export function statusError({ status, headers, body }: StatusAnswer, shown: string): MeasurementError {
  const text = decodeUtf8(body).trim().slice(0, 500);
  const isRedirect = status >= 300 && status < 400;
  const said = isRedirect ? ' (redirects are not followed)' : text === '' ? '' : `: ${text}`;
  return new MeasurementError(`${shown} answered with status ${status}${said}`, {
    stage: 'target',
    kind: 'http-error',
    detail: `http-${status}`,
    transient: status === 408 || status === 429 || status >= 500,
    retryAfterMs: retryAfterMs(headers, Date.now()),
    hint: isRedirect ? 'set `url` of the target to the final address' : undefined,
  });
}
