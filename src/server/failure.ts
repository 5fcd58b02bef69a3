import { randomUUID } from 'node:crypto';

import { AssayError } from '../core/errors.ts';
import { given } from '../lib/given.ts';
import type { Problem } from '../api/resources/problem.ts';
import { Refusal } from './refusal.ts';

/** The answer to a failed request. If the server is at fault, the answer contains no internal details. */
export function failureResponse(error: unknown, onFault: (fault: unknown) => void): Response {
  const refusal = refusalOf(error);
  if (refusal === INTERNAL) onFault(error);
  const { status, refused } = refusal;
  const { code, message, param, hint } = refused;
  const body: Problem = {
    error: { code, message, param: param ?? null, ...given({ hint }), request_id: randomUUID() },
  };
  return Response.json(body, { status, ...(status === 405 ? { headers: { Allow: 'GET, HEAD' } } : {}) });
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof AssayError) {
    const { code, message, hint } = error;
    return new Refusal(STATUS_OF[code] ?? 422, { code, message, ...given({ hint }) });
  }
  if (isOfSystem(error)) {
    return new Refusal(409, {
      code: 'run-unreadable',
      message: `cannot read a file of the run: ${error.code}`,
      hint: 'check the permissions of the folder, and whether the run still exists',
    });
  }
  return INTERNAL;
}

const INTERNAL = new Refusal(500, {
  code: 'internal',
  message: 'internal server error; see the output of the server',
});

/** Whether it is about a run that is damaged, newer, gone or not to be read, and no fault of the server. */
export function isOfRun(error: unknown): boolean {
  return error instanceof AssayError || isOfSystem(error);
}

/** Whether this is an error of the file system while a run is read. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

const STATUS_OF: Readonly<Record<string, Refusal['status']>> = {
  'run-not-found': 404,
  'run-ambiguous': 404,
  'trial-not-found': 404,
  'unknown-target': 404,
  'run-unreadable': 409,
  'run-newer': 409,
};
