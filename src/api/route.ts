import type { z } from 'zod';

/** One operation of the REST API. Server, client types and openapi.json derive from it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path below `/api/v1`, with parameters in braces: `/runs/{run}`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Status of a success. */
  readonly status: 200 | 201 | 202;
  /** `json` has the schema `answer`. The others are streams. */
  readonly sends: 'json' | 'event-stream' | 'file';
  readonly answer?: z.ZodType;
  /** What the route needs: run directories provide only runs. */
  readonly needs: 'nothing' | 'runs' | 'store';
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

/** The answer of a route. */
export type AnswerOf<R extends Route> = R extends { answer: infer A extends z.ZodType } ? z.output<A> : never;

type Reading = Pick<Route, 'summary' | 'needs'> & { readonly path: `/${string}` };

/** A route that answers a GET with JSON. */
export const read = <const R extends Reading & { query?: z.ZodObject; answer: z.ZodType }>(route: R) => ({
  ...route,
  method: 'GET' as const,
  status: 200 as const,
  sends: 'json' as const,
});
