import { RefusedError } from '../api/client.ts';
import { WORDS_HEADER } from '../api/request-words.ts';
import type { ErrorCode, ProblemCode } from '../core/error-code.ts';
import { AssayError, messageOf } from '../core/errors.ts';
import { AuthoringError } from '../core/problem.ts';
import { given } from '../lib/given.ts';

/** A server that commands use, and the token for it. */
export interface ServerPlace {
  /** Without `/api/v1`. */
  readonly url: string;
  readonly token: string | undefined;
}

/** A `fetch` with the token, which asks for errors in the words of commands. Throws `server-unreachable`. */
export function fetchWith({ url, token }: ServerPlace): typeof fetch {
  return async (address, init) => {
    const headers = new Headers(init?.headers);
    headers.set(WORDS_HEADER, 'command');
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    try {
      return await fetch(address, { ...init, headers });
    } catch (error) {
      const reason = messageOf((error as Error).cause ?? error);
      throw new AssayError('server-unreachable', `the server at ${url} does not answer: ${reason}`, {
        stage: 'plan',
        hint: 'check ASSAY_URL, and that `assay serve` is running',
        cause: error,
      });
    }
  };
}

/** Works with a server. Its refusals are thrown as errors of a command. */
export async function askingServer<T>(
  { url }: ServerPlace,
  work: () => Promise<T>,
  worded: (problem: SaidProblem) => Promise<SaidProblem> = async (problem) => problem,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SyntaxError) throw notOurs(url);
    if (!(error instanceof RefusedError)) throw error;
    const { problems = [], ...only } = error.problem;
    if (problems.length > 1) throw allOf(await Promise.all(problems.map(worded)), url);
    const { code, message, hint } = await worded(only);
    throw new AssayError(code as ErrorCode, `${message} (server ${url})`, {
      stage: 'plan',
      hint: code === 'unauthorized' ? 'set ASSAY_TOKEN; `assay tokens create` makes a token' : hint,
    });
  }
}

/** What a server says of one mistake. */
export interface SaidProblem {
  readonly code: string;
  readonly param: string | null;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** All problems, as without a server. Their place is a key of the request. */
function allOf(problems: readonly SaidProblem[], url: string): AuthoringError {
  const found = problems.map(({ code, param, message, hint }) => ({
    file: `the server at ${url}`,
    code: code as ProblemCode,
    message,
    ...given({ subject: param === '' || param === null ? undefined : param, hint }),
  }));
  return new AuthoringError(found, 'nothing was changed');
}

/** Whether a server answers that it is alive. */
export async function answers(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  return await fetch(`${url}/api/v1/healthz`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

const ANSWER_MS = 5000;

function notOurs(url: string): AssayError {
  return new AssayError('server-unreachable', `the server at ${url} is not an assay server`, {
    stage: 'plan',
    hint: 'check ASSAY_URL',
  });
}
