import * as z from 'zod';

import { isObject, type JsonObject, type JsonValue } from '../json.ts';

/** Any JSON value unchanged: zod's own schema copies mappings, and drops a key `__proto__`. */
export function jsonValue() {
  return z.custom<JsonValue>(isJson, 'expected a JSON value');
}

/** The same for a mapping. */
export function jsonMapping() {
  return z
    .custom<JsonObject>((value) => isObject(value) && isJson(value), 'expected a mapping of JSON values')
    .meta({ type: 'object', additionalProperties: {} });
}

/** Values by any keys: zod's own record drops a key `__proto__`. `shape` is the JSON Schema of a value. */
export function recordOf<Value>(value: z.ZodType<Value>, shape: JsonObject) {
  return z
    .custom<Readonly<Record<string, Value>>>(isObject, {
      error: 'expected a mapping',
      params: { expected: 'a mapping' },
    })
    .check(({ value: members, issues }) => {
      if (!isObject(members)) return;
      for (const [key, member] of Object.entries(members)) {
        const found = value.safeParse(member).error?.issues ?? [];
        const raw = found.map((issue) => ({ ...issue, path: [key, ...issue.path], input: member }));
        issues.push(...(raw as z.core.$ZodRawIssue[]));
      }
    })
    .meta({ type: 'object', additionalProperties: shape });
}

/** Texts by any keys: variables, headers, files. */
export function textMapping() {
  return recordOf(z.string(), { type: 'string' });
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return isObject(value) && Object.values(value).every((member) => member === undefined || isJson(member));
}
