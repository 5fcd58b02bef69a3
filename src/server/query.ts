import type { z } from 'zod';

import { nearest } from '../lib/text/suggest.ts';
import { Refusal } from './refusal.ts';

/** Parses the query of a request with the schema of its route. Throws a refusal that names the parameter. */
export function readQuery(schema: z.ZodObject | undefined, written: URLSearchParams): object {
  const known = Object.keys(schema?.shape ?? {});
  const values: Record<string, string | readonly string[]> = {};
  for (const name of new Set(written.keys())) {
    if (!known.includes(name)) throw unknownParameter(name, known);
    const all = written.getAll(name);
    values[name] = all.length > 1 ? all : (all[0] ?? '');
  }
  if (schema === undefined) return {};
  const read = schema.safeParse(values);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const param = String(issue?.path[0] ?? '');
  throw new Refusal(400, {
    code: 'invalid-parameter',
    message: `${param}=${written.get(param)}: ${issue?.message}`,
    param,
  });
}

function unknownParameter(name: string, known: readonly string[]): Refusal {
  const near = nearest(name, known);
  const hint = known.length === 0 ? 'it takes no parameters' : `it takes ${known.join(', ')}`;
  return new Refusal(400, {
    code: 'unknown-parameter',
    message: `unknown parameter "${name}"`,
    param: name,
    hint: near === undefined ? hint : `did you mean ${near}?`,
  });
}
