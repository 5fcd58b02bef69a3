import { isCount } from '../../core/usage.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';

/** The member if it is a mapping, else an empty mapping; output of an agent can have any form. */
export function objectAt(from: JsonValue | undefined, key: string): JsonObject {
  const value = isObject(from) ? (from as JsonObject)[key] : undefined;
  return isObject(value) ? (value as JsonObject) : {};
}

/** The member if it is a list, else an empty list. */
export function listAt(from: JsonValue | undefined, key: string): readonly JsonValue[] {
  const value = isObject(from) ? (from as JsonObject)[key] : undefined;
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** The member if it is a text that is not empty. */
export function textAt(from: JsonValue | undefined, key: string): string | undefined {
  const value = isObject(from) ? (from as JsonObject)[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The member if it is a valid count: not negative, and small enough to be summed. */
export function countAt(from: JsonValue | undefined, key: string): number | undefined {
  const value = isObject(from) ? (from as JsonObject)[key] : undefined;
  return isCount(value) ? value : undefined;
}

/** A time in the format of transcripts; undefined when it is invalid. */
export function timeAt(from: JsonValue | undefined, key: string): string | undefined {
  const written = isObject(from) ? (from as JsonObject)[key] : undefined;
  if (typeof written !== 'string' && typeof written !== 'number') return undefined;
  const time = new Date(written);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** The mapping itself, or an empty mapping. */
export function asObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? (value as JsonObject) : {};
}
