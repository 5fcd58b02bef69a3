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
    info: { title: 'assay', version, description: 'Test cases and runs of evals of AI agents.' },
    servers: [{ url: '/api/v1' }],
    paths,
    components: { schemas: { Problem: schemaOf(problem) } },
  };
}

function operation(operationId: string, route: Route) {
  return {
    operationId,
    summary: route.summary,
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...bodyOf(route),
    responses: {
      [route.status]: { description: 'success', ...headersOf(route), content: contentOf(route) },
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

function bodyOf({ body, upload }: Route) {
  if (upload !== undefined) {
    const content = Object.fromEntries(upload.types.map((type) => [type, {}]));
    return { requestBody: { required: true, content } };
  }
  if (body === undefined) return {};
  const required = !body.safeParse(undefined).success;
  return { requestBody: { required, content: { 'application/json': { schema: schemaOf(body) } } } };
}

function headersOf({ tagged }: Route) {
  const description = 'version of the resource, for `If-Match`';
  return tagged === true ? { headers: { ETag: { description, schema: { type: 'string' } } } } : {};
}

function headerParameters({ ifMatch, idempotent }: Route) {
  const header = (name: string, required: boolean, description: string) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  });
  return [
    ...(ifMatch === true ? [header('If-Match', true, 'the ETag of the resource, or `*`')] : []),
    ...(idempotent === true
      ? [
          header(
            'Idempotency-Key',
            false,
            'if a request is sent again with the same key within 24 hours, it is not executed again and gets the first answer',
          ),
        ]
      : []),
  ];
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
