import type { AnswerOf, AskedOf, PathOf } from './route.ts';
import type { Problem } from './resources/problem.ts';
import type { Table } from './table.ts';

/** The operations that answer with JSON. */
type JsonOperation = { [Op in keyof Table]: Table[Op]['sends'] extends 'json' ? Op : never }[keyof Table];

export interface AskOptions {
  readonly signal?: AbortSignal;
}

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
  return async <Op extends JsonOperation>(
    place: Table[Op]['path'],
    asked: { readonly path: PathOf<Table[Op]>; readonly query?: AskedOf<Table[Op]> },
    { signal }: AskOptions = {},
  ): Promise<AnswerOf<Table[Op]>> => {
    const response = await ask(`${base}${addressOf(place, asked)}`, {
      headers: { accept: 'application/json' },
      ...(signal === undefined ? {} : { signal }),
    });
    const body: unknown = await response.json();
    if (!response.ok) throw new RefusedError(response.status, (body as Problem).error);
    return body as AnswerOf<Table[Op]>;
  };
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
