import type * as z from 'zod';

import type { Fault, Path } from './fault.ts';
import { schemaFaults } from './schema-faults.ts';

export type Checked<T> =
  | { readonly value: T; readonly faults?: undefined }
  | { readonly value?: undefined; readonly faults: readonly Fault[] };

/** Checks a value against a strict schema; keys that start with `x-` belong to the author and are allowed. */
export function check<T>(schema: z.ZodType<T>, value: unknown, moreKeys: readonly string[] = []): Checked<T> {
  const first = parse(schema, value);
  if (first.success) return { value: first.data };
  const free = freeKeys(first.error.issues);
  const kept = free.reduce(without, value);
  const second = free.length === 0 ? first : parse(schema, kept);
  if (second.success) return { value: second.data };
  return { faults: schemaFaults(second.error.issues, schema, { value: kept, moreKeys }) };
}

/** Zod compiles a schema at its first use, which costs as much as some fifty uses without compilation. */
function parse<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  // No options, because zod would copy them at each use: a third of the time of a large suite.
  if (often.has(schema)) return schema.safeParse(value);
  const times = (uses.get(schema) ?? 0) + 1;
  if (times < 50) uses.set(schema, times);
  else often.add(schema);
  return schema.safeParse(value, { jitless: true });
}

const uses = new WeakMap<object, number>();
const often = new WeakSet<object>();

function freeKeys(issues: readonly z.core.$ZodIssue[], prefix: Path = []): readonly Path[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...(issue.path as Path)];
    if (issue.code === 'invalid_union') return issue.errors.flatMap((branch) => freeKeys(branch, path));
    if (issue.code !== 'unrecognized_keys') return [];
    return issue.keys.filter((key) => key.startsWith('x-')).map((key) => [...path, key]);
  });
}

/** A copy without the value at the path; an item of a list is kept. */
export function without(value: unknown, path: Path): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
    return value;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? without(item, rest) : item));
  const { [step]: inner, ...others } = value as Record<string, unknown>;
  return rest.length === 0 ? others : { ...(value as object), [step]: without(inner, rest) };
}
