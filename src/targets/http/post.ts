import type { MeasurementError } from '../../core/errors.ts';
import { ForbiddenAddress } from '../../lib/http/forbidden-address.ts';
import { pause } from '../../lib/time/clock.ts';
import { contractBroken, unavailable } from '../target-errors.ts';
import { exchange, type Call, type Endpoint, type Exchanged } from './exchange.ts';
import { statusError } from './status-error.ts';

type Failed = Extract<Exchanged, { failure: unknown }>;

/** The body of an answer with a 2xx status; throws for everything else. */
export async function post(endpoint: Endpoint, call: Call, signal: AbortSignal): Promise<Buffer> {
  const pauses = [500, 2_000];
  for (let repeats = 0; ; repeats++) {
    const pool = repeats === 0 ? endpoint.pool : endpoint.fresh;
    const result = await exchange(endpoint, { ...call, pool }, signal);
    if (!('failure' in result)) return bodyOf(result, endpoint);
    const error = transportError(result, endpoint);
    if (repeats === MOST_REPEATS || !mayRepeat(result)) throw error;
    if (result.wasReused) continue;
    // The wait is chosen by assay, so the turn's time limit must not hide its reason.
    const goOn = call.hold?.(error);
    await pause(pauses.shift() ?? 0, signal).finally(goOn);
  }
}

const MOST_REPEATS = 2;

/** Retries only failures before the first byte of the answer, but not timeouts or permanent failures. */
function mayRepeat({ failure, hasAnswered, isConnectTimeout }: Failed): boolean {
  if (hasAnswered || isConnectTimeout || failure instanceof ForbiddenAddress) return false;
  const code = failure.code ?? '';
  return !code.startsWith('HPE_') && code !== 'ENOTFOUND' && !isCertificateProblem(code);
}

function bodyOf(result: Exclude<Exchanged, Failed>, endpoint: Endpoint): Buffer {
  const { status, body, isCut } = result;
  if (status < 200 || status >= 300) throw statusError(result, endpoint.shown);
  if (!isCut) return body;
  throw contractBroken(`${endpoint.shown} answered with more than ${endpoint.maxBodyBytes} bytes`, {
    detail: 'output-limit',
    hint: 'raise `maxBodyBytes` of the target if such large answers are intended',
  });
}

function transportError(failed: Failed, { shown, connectTimeoutMs }: Endpoint): MeasurementError {
  const { failure } = failed;
  const code = failure.code ?? '';
  const cause = failure;
  if (code.startsWith('HPE_')) {
    return contractBroken(`${shown} sent an invalid HTTP answer: ${failure.message}`, { cause });
  }
  if (failure instanceof ForbiddenAddress) {
    const hint = 'correct the `url` of the target, or let the server allow its host';
    return unavailable(`${shown}: ${failure.message}`, { detail: 'address-forbidden', hint, cause });
  }
  if (failed.isConnectTimeout) {
    const message = `${shown}: connecting timed out after ${connectTimeoutMs} ms`;
    return unavailable(message, { detail: 'connect-timeout', transient: true, hint: REACH, cause });
  }
  if (failed.hasAnswered) {
    const message = `${shown} closed the connection in the middle of its answer: ${failure.message}`;
    const hint = 'check the log of the agent for the reason';
    return unavailable(message, { detail: 'connection-lost', transient: true, hint, cause });
  }
  const transient = !isCertificateProblem(code);
  return unavailable(`${shown}: connection failed: ${failure.message || code}`, {
    transient,
    hint: REACH,
    cause,
  });
}

const REACH = 'start the agent, or correct the `url` of the target';

function isCertificateProblem(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_(TLS|SSL)|^EPROTO$/.test(code);
}
