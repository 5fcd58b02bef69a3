import type { z } from 'zod';

import { given } from '../lib/given.ts';
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
  if (!written.has(param)) throw missingParameter(param);
  throw new Refusal(400, {
    code: 'invalid-parameter',
    message: `${param}=${written.getAll(param).join(',')}: ${issue === undefined ? 'invalid' : reasonOf(issue)}`,
    param,
    ...given({ hint: nearestOf(issue, written.getAll(param)) }),
  });
}

/** For a value of a fixed list that is nearly right. */
function nearestOf(issue: z.core.$ZodIssue | undefined, values: readonly string[]): string | undefined {
  const issues = issue?.code === 'invalid_union' ? issue.errors.flat() : issue === undefined ? [] : [issue];
  for (const found of issues) {
    if (found.code !== 'invalid_value') continue;
    const known = found.values.map(String);
    const wrong = values.find((value) => !known.includes(value)) ?? '';
    const near = nearest(wrong, known);
    if (near !== undefined) return `did you mean ${near}?`;
  }
  return undefined;
}

/** A union itself says only that it has no such value; its member for such a value knows which it takes. */
function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big' && issue.origin === 'number') return `at most ${issue.maximum}`;
  if (issue.code === 'too_small' && issue.origin === 'number') return `at least ${issue.minimum}`;
  if (issue.code === 'invalid_value') return `not one of: ${issue.values.map(String).join(', ')}`;
  if (issue.code !== 'invalid_union') return issue.message;
  const inner = issue.errors.flat();
  const meant = inner.find(({ code }) => code !== 'invalid_type') ?? inner[0];
  return meant === undefined ? issue.message : reasonOf(meant);
}

function missingParameter(param: string): Refusal {
  return new Refusal(400, {
    code: 'invalid-parameter',
    message: `the parameter \`${param}\` is missing`,
    param,
    hint: `add ${param}=... to the address`,
  });
}

function unknownParameter(name: string, known: readonly string[]): Refusal {
  const near = nearest(name, known);
  const hint =
    known.length === 0
      ? 'this route takes no parameters'
      : `this route takes only these parameters: ${known.join(', ')}`;
  return new Refusal(400, {
    code: 'unknown-parameter',
    message: `unknown parameter "${name}"`,
    param: name,
    hint: near === undefined ? hint : `did you mean ${near}?`,
  });
}
