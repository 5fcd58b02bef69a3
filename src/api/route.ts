import type { z } from 'zod';

/** One operation of the REST API. Server, client types and openapi.json derive from it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path below `/api/v1`, with parameters in braces: `/runs/{run}`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly query?: z.ZodObject;
  /** A JSON body. */
  readonly body?: z.ZodType;
  /** The handler checks the JSON body together with all else that the request means, and names all mistakes at once. */
  readonly checksBody?: true;
  /** A body that the handler reads as text or bytes. */
  readonly upload?: Upload;
  /** Status of a success. */
  readonly status: 200 | 201 | 202;
  /** `json` has the schema `answer`. The others are streams. */
  readonly sends: 'json' | 'event-stream' | 'file';
  readonly answer?: z.ZodType;
  /** What the route needs: run directories provide only runs. */
  readonly needs: 'nothing' | 'runs' | 'store';
  /** The answer has an ETag: its handler returns a `Tagged` one. */
  readonly tagged?: true;
  /** The request needs `If-Match` with the ETag, or `*`. */
  readonly ifMatch?: true;
  /** `Idempotency-Key`: a request that is sent again gets the first answer. */
  readonly idempotent?: true;
}

/** What an upload may be. */
export interface Upload {
  /** Media types. */
  readonly types: readonly string[];
  /** import: what the server allows for imports. */
  readonly maxBytes: number | 'import';
}

/** An answer with its version. */
export interface Tagged<Answer> {
  readonly answer: Answer;
  /** Changes with every write. The ETag is this text in quotes. */
  readonly version: string;
  /** Path below `/api/v1` of what was created. */
  readonly location?: string;
}

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** The parameters in a path, by name. */
export type PathOf<R extends Route> = Readonly<Record<Names<R['path']>, string>>;

/** The query of a route as its handler receives it. */
export type QueryOf<R extends Route> = R extends { query: infer Q extends z.ZodType } ? z.output<Q> : object;

/** The query of a route as a caller writes it. */
export type AskedOf<R extends Route> = R extends { query: infer Q extends z.ZodType } ? z.input<Q> : object;

/** The JSON body of a route as its handler receives it. */
export type BodyOf<R extends Route> = R extends { body: infer B extends z.ZodType } ? z.output<B> : undefined;

/** The JSON body of a route as a caller writes it. */
export type SentOf<R extends Route> = R extends { body: infer B extends z.ZodType } ? z.input<B> : undefined;

/** The answer of a route. */
export type AnswerOf<R extends Route> = R extends { answer: infer A extends z.ZodType } ? z.output<A> : never;

type Reading = Pick<Route, 'path' | 'summary' | 'query' | 'tagged'> & { readonly answer: z.ZodType };

/** A route that answers a GET with JSON. */
export const read = <const R extends Reading & Pick<Route, 'needs'>>(route: R) => ({
  ...route,
  method: 'GET' as const,
  status: 200 as const,
  sends: 'json' as const,
});

/** The same of runs, which run directories provide too. */
export const readRuns = <const R extends Reading>(route: R) => read({ ...route, needs: 'runs' });

/** The same of what only a store has. */
export const readStore = <const R extends Reading>(route: R) => read({ ...route, needs: 'store' });

/** A route that answers a GET with a file. */
export const download = <const R extends Omit<Reading, 'answer'> & Pick<Route, 'needs'>>(route: R) => ({
  ...route,
  method: 'GET' as const,
  status: 200 as const,
  sends: 'file' as const,
});

type Writing = Omit<Route, 'needs' | 'sends' | 'status'> & { readonly answer: z.ZodType };

const OF_STORE = { needs: 'store', sends: 'json' } as const;

/** A route that changes the store, and answers with JSON. */
export const write = <const R extends Writing>(route: R) => ({ ...route, ...OF_STORE, status: 200 as const });

/** The same of the version that the request names, whose answer is tagged. */
export const change = <const R extends Writing>(route: R) => ({
  ...write(route),
  tagged: true as const,
  ifMatch: true as const,
});

type Posting = Omit<Writing, 'method'>;

/** A route that adds something to the store. */
export const create = <const R extends Posting>(route: R) => ({
  ...route,
  ...OF_STORE,
  method: 'POST' as const,
  status: 201 as const,
});

/** A route that begins work, and does not wait for its end. */
export const start = <const R extends Posting>(route: R) => ({
  ...route,
  ...OF_STORE,
  method: 'POST' as const,
  status: 202 as const,
});
