import { randomUUID } from 'node:crypto';

import { AssayError } from '../core/errors.ts';
import { AuthoringError, type Problem as AuthoringProblem } from '../core/problem.ts';
import { given } from '../lib/given.ts';
import { inRequestWords, WORDS_HEADER } from '../api/request-words.ts';
import type { Problem } from '../api/resources/problem.ts';
import { invalidBody, Refusal, type BodyProblem } from './refusal.ts';

/**
 * The answer to a failed request, in the words of who asked. If the server is at fault, the answer contains no internal
 * details.
 */
export function failureResponse(
  error: unknown,
  { onFault, asked }: { readonly onFault: (fault: unknown) => void; readonly asked: Headers },
): Response {
  const refusal = refusalOf(error);
  const words = asked.get(WORDS_HEADER) === 'command' ? inItsOwnWords : inWordsOfApi;
  if (AT_FAULT.has(refusal)) onFault(error);
  const { status, refused, headers } = refusal;
  const { code, message, param, hint, problems, current } = refused;
  const body: Problem = {
    error: {
      code,
      ...words({ message, hint }),
      param: param ?? null,
      ...given({ problems: problems?.map((each) => ({ ...each, ...words(each) })), current }),
      request_id: randomUUID(),
    },
  };
  return Response.json(body, { status, headers });
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof AuthoringError) return invalidBody(bodyProblems(error.problems));
  if (isOfDatabase(error)) return NO_DATABASE;
  if (error instanceof AssayError && error.code === 'results-not-written') return NOT_WRITTEN;
  if (error instanceof AssayError) {
    const { code, message, hint } = error;
    const param = PARAM_OF[code];
    return new Refusal(STATUS_OF[code] ?? 422, { code, message, ...given({ hint, param }) });
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

/** Mistakes with their paths in the body. */
export function bodyProblems(problems: readonly AuthoringProblem[]): readonly BodyProblem[] {
  return problems.map(({ code, path = [], message, hint }) => ({
    code,
    param: path.join('.'),
    message,
    ...given({ hint }),
  }));
}

interface Said {
  readonly message: string;
  readonly hint?: string | undefined;
}

function inItsOwnWords({ message, hint }: Said) {
  return { message, ...given({ hint }) };
}

/** What is said to the command line too names its flags. */
export function inWordsOfApi({ message, hint }: Said) {
  return inItsOwnWords({ message: inRequestWords(message), hint: hint && inRequestWords(hint) });
}

const INTERNAL = new Refusal(500, {
  code: 'internal',
  message: 'internal server error; see the output of the server',
});

const NO_DATABASE = new Refusal(503, {
  code: 'database-unreachable',
  message: 'the database does not answer',
  hint: 'send the request again later; the output of the server says more',
});

/** Its message quotes the database or names a file of the server. */
const NOT_WRITTEN = new Refusal(503, {
  code: 'results-not-written',
  message: 'the store could not save the data of this request',
  hint: 'send the request again later; the output of the server says more',
});

const AT_FAULT: ReadonlySet<Refusal> = new Set([INTERNAL, NO_DATABASE, NOT_WRITTEN]);

/** Whether it is about a run that is damaged, newer, gone or not to be read, and no fault of the server. */
export function isOfRun(error: unknown): boolean {
  return (error instanceof AssayError && !isOfDatabase(error)) || isOfSystem(error);
}

/** Whether the database does not answer, which says nothing about a run. */
export function isOfDatabase(error: unknown): boolean {
  return error instanceof AssayError && error.code === 'database-unreachable';
}

/** Whether this is an error of the file system while a run is read. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** The parameter of a query that such an error is about. */
const PARAM_OF: Readonly<Record<string, string>> = { 'unknown-set': 'set' };

const STATUS_OF: Readonly<Record<string, Refusal['status']>> = {
  'run-not-found': 404,
  'run-ambiguous': 404,
  'trial-not-found': 404,
  'unknown-target': 404,
  'case-not-found': 404,
  'unknown-set': 404,
  'agent-not-found': 404,
  'agent-version-not-found': 404,
  'name-taken': 409,
  'account-not-found': 404,
  'server-stopping': 503,
  'token-not-found': 404,
  'metric-not-found': 404,
  'foreign-token': 403,
  'account-exists': 409,
  'account-local': 409,
  'account-disabled': 409,
  'last-admin': 409,
  'metric-exists': 409,
  'body-too-large': 413,
  usage: 400,
  'run-unreadable': 409,
  'run-differs': 409,
  'run-in-use': 409,
  'run-not-here': 409,
  'lease-lost': 409,
  'idempotency-running': 409,
  'bytes-not-awaited': 404,
  'bytes-too-large': 413,
  'run-newer': 409,
  'run-finished': 409,
  'run-changed': 409,
  'run-not-resumable': 409,
  'run-not-trusted': 409,
  'nothing-to-resume': 409,
};
