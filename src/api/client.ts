import type { AnswerOf, AskedOf, PathOf, SentOf, Tagged } from './route.ts';
import type { Problem } from './resources/problem.ts';
import type { Table } from './table.ts';

/** The operations that answer a GET with JSON. */
export type JsonOperation = {
  [Op in keyof Table]: Table[Op] extends { sends: 'json'; method: 'GET' } ? Op : never;
}[keyof Table];

/** The operations that change something. */
type WriteOperation = {
  [Op in keyof Table]: Table[Op] extends { sends: 'json'; method: 'GET' } ? never : Op;
}[keyof Table];

/** What a GET is asked with. */
export interface Asked<Op extends JsonOperation> {
  readonly path: PathOf<Table[Op]>;
  readonly query?: AskedOf<Table[Op]>;
}

export interface AskOptions {
  readonly signal?: AbortSignal;
}

export interface SendOptions extends AskOptions {
  /** The version that is changed, or `*`. */
  readonly ifMatch?: string;
  readonly idempotencyKey?: string;
}

/** What is sent to an operation. */
type Sent<Op extends WriteOperation> = {
  readonly path: PathOf<Table[Op]>;
  readonly query?: AskedOf<Table[Op]>;
} & (Table[Op] extends { readonly upload: { readonly types: readonly (infer Type)[] } }
  ? { readonly file: { readonly type: Type; readonly text: string } }
  : { readonly body?: SentOf<Table[Op]> });

/** The API answered with an error. */
export class RefusedError extends Error {
  readonly status: number;
  readonly problem: Problem['error'];
  constructor(status: number, problem: Problem['error']) {
    super(problem.message);
    this.name = 'RefusedError';
    this.status = status;
    this.problem = problem;
  }
}

/**
 * A typed client of the API. It imports only types of the table of routes, so a browser loads no schema.
 * Throws `RefusedError` for error answers.
 */
export function apiClient(base: string, ask: typeof fetch = fetch) {
  const read = taggedClient(base, ask);
  return async <Op extends JsonOperation>(
    place: Table[Op]['path'],
    asked: Asked<Op>,
    options: AskOptions = {},
  ): Promise<AnswerOf<Table[Op]>> => (await read<Op>(place, asked, options)).answer;
}

/** The same with the version of each answer, for `If-Match`. It is empty if the answer has none. */
export function taggedClient(base: string, ask: typeof fetch = fetch) {
  return async <Op extends JsonOperation>(
    place: Table[Op]['path'],
    asked: Asked<Op>,
    { signal }: AskOptions = {},
  ): Promise<Tagged<AnswerOf<Table[Op]>>> => {
    const response = await ask(`${base}${addressOf(place, asked)}`, {
      headers: { accept: 'application/json' },
      ...(signal === undefined ? {} : { signal }),
    });
    return { answer: (await answerOf(response)) as AnswerOf<Table[Op]>, version: versionOf(response) };
  };
}

/** The same for operations that change something. The version is empty if the answer has none. */
export function apiSender(base: string, ask: typeof fetch = fetch) {
  return async <Op extends WriteOperation>(
    [method, place]: readonly [Table[Op]['method'], Table[Op]['path']],
    sent: Sent<Op>,
    { signal, ifMatch, idempotencyKey }: SendOptions = {},
  ): Promise<Tagged<AnswerOf<Table[Op]>>> => {
    const { path, query, file, body } = sent as {
      readonly path: Readonly<Record<string, string>>;
      readonly query?: object;
      readonly file?: { readonly type: string; readonly text: string };
      readonly body?: unknown;
    };
    const address = addressOf(place, { path, ...(query === undefined ? {} : { query }) });
    const response = await ask(`${base}${address}`, {
      method,
      headers: {
        accept: 'application/json',
        'content-type': file?.type ?? 'application/json',
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch === '*' ? '*' : `"${ifMatch}"` }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined && file === undefined ? {} : { body: file?.text ?? JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const answer = (await answerOf(response)) as AnswerOf<Table[Op]>;
    return { answer, version: versionOf(response) };
  };
}

function versionOf(response: Response): string {
  return response.headers.get('etag')?.slice(1, -1) ?? '';
}

async function answerOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  if (!response.ok) throw new RefusedError(response.status, problemOf(body));
  return body;
}

/** The error in an answer. Throws a `SyntaxError` for one that is not of this API, such as that of a proxy. */
export function problemOf(body: unknown): Problem['error'] {
  const { error } = (body ?? {}) as Partial<Problem>;
  if (typeof error?.message !== 'string') throw new SyntaxError('not an answer of this API');
  return error;
}

/** The address of a route with its parameters and its query. */
export function addressOf(
  path: string,
  asked: { readonly path: Readonly<Record<string, string>>; readonly query?: object },
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(asked.path[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked.query ?? {})) {
    for (const one of [value].flat()) if (one !== undefined) query.append(name, String(one));
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}
