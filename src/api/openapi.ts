import { z } from 'zod';

import { problem } from './resources/problem.ts';
import type { Route } from './route.ts';
import { table } from './table.ts';

/** The OpenAPI 3.1 document of the API. */
export function openApi(version: string): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries<Route>(table)) {
    paths[route.path] ??= {};
    (paths[route.path] as Record<string, unknown>)[route.method.toLowerCase()] = operation(name, route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'assay', version, description: 'Runs of evals of AI agents.' },
    servers: [{ url: '/api/v1' }],
    paths,
    components: { schemas: { Problem: schemaOf(problem) } },
  };
}

function operation(operationId: string, route: Route) {
  return {
    operationId,
    summary: route.summary,
    parameters: [...pathParameters(route), ...queryParameters(route)],
    responses: {
      [route.status]: { description: 'success', content: contentOf(route) },
      default: {
        description: 'an error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function contentOf({ sends, answer }: Route) {
  if (sends === 'event-stream') return { 'text/event-stream': { schema: { type: 'string' } } };
  if (sends === 'file') return { 'application/octet-stream': {} };
  return { 'application/json': { schema: answer === undefined ? {} : schemaOf(answer) } };
}

function pathParameters({ path }: Route) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Route) {
  return Object.entries(query?.shape ?? {}).map(([name, type]) => ({
    name,
    in: 'query',
    required: !(type as z.ZodType).safeParse(undefined).success,
    schema: schemaOf(type as z.ZodType),
  }));
}

function schemaOf(type: z.ZodType): object {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  return schema;
}
