import * as z from 'zod';

import { isObject, type JsonObject, type JsonValue } from '../json.ts';

/** Any JSON as somebody wrote it: zod's own schema copies mappings, and leaves out a key `__proto__`. */
export function jsonValue() {
  return z.custom<JsonValue>(isJson, 'expected a value that JSON can hold');
}

/** The same of a mapping. */
export function jsonMapping() {
  return z
    .custom<JsonObject>((value) => isObject(value) && isJson(value), 'expected a mapping that JSON can hold')
    .meta({ type: 'object', additionalProperties: {} });
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return isObject(value) && Object.values(value).every((member) => member === undefined || isJson(member));
}
