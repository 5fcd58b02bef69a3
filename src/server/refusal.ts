import type { ErrorCode, QuotedCode } from '../core/error-code.ts';

/** The error of a refused request. */
export interface Refused {
  readonly code: ErrorCode | QuotedCode;
  readonly message: string;
  /** The name of the invalid parameter, or the path of the invalid value in the body. */
  readonly param?: string;
  readonly hint?: string;
  /** All mistakes of a body. */
  readonly problems?: readonly BodyProblem[];
  /** Of a stale change: the resource as it is now. */
  readonly current?: unknown;
}

/** One mistake in a body. */
export interface BodyProblem {
  readonly code: ErrorCode | QuotedCode;
  /** Keys and positions, with dots between them. */
  readonly param: string;
  readonly message: string;
  readonly hint?: string;
}

/** Thrown to answer a request with an error. */
export class Refusal extends Error {
  readonly status:
    | 400
    | 401
    | 403
    | 404
    | 405
    | 408
    | 409
    | 412
    | 413
    | 415
    | 422
    | 428
    | 429
    | 431
    | 500
    | 503;
  readonly refused: Refused;
  /** Headers of the answer, such as `Allow`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: Refusal['status'], refused: Refused, headers: Readonly<Record<string, string>> = {}) {
    super(refused.message);
    this.name = 'Refusal';
    this.status = status;
    this.refused = refused;
    this.headers = headers;
  }
}

/** The refusal of a change to a resource that has changed since it was read. `current`: as it is now. */
export function stale(current: unknown): Refusal {
  return new Refusal(412, {
    code: 'stale',
    message: 'the resource was changed after you read it',
    param: 'If-Match',
    hint: 'apply your change to `error.current`, which is the current state, and send the result with its ETag',
    current,
  });
}

/** Codes of a body that cannot be parsed, in whichever format. */
const SYNTAX: ReadonlySet<string> = new Set([
  'json-syntax',
  'yaml-syntax',
  'duplicate-key',
  'too-deep',
  'not-utf8',
]);

/** The refusal of a body with mistakes; at least one. One that cannot be parsed is 400. */
export function invalidBody(problems: readonly BodyProblem[]): Refusal {
  const [first, ...others] = problems;
  const isOne = others.every(({ code }) => code === first?.code);
  const more = others.length === 0 ? '' : ` (and ${others.length} more, see \`problems\`)`;
  return new Refusal(problems.some(({ code }) => SYNTAX.has(code)) ? 400 : 422, {
    code: first !== undefined && isOne ? first.code : 'invalid-body',
    message: `${first?.message ?? 'the body has mistakes'}${more}`,
    ...(first === undefined ? {} : { param: first.param }),
    ...(first?.hint === undefined ? {} : { hint: first.hint }),
    problems,
  });
}
