import { isCount } from '../../core/usage.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';

/** The member when it is a mapping, else an empty one: what an agent prints may be anything. */
export function objectAt(from: JsonValue | undefined, key: string): JsonObject {
  const value = isObject(from) ? (from as JsonObject)[key] : undefined;
  return isObject(value) ? (value as JsonObject) : {};
}

/** The member when it is a list, else an empty one. */
export function listAt(from: JsonValue | undefined, key: string): readonly JsonValue[] {
  const value = isObject(from) ? (from as JsonObject)[key] : undefined;
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** The member when it is a text that is not empty. */
export function textAt(from: JsonValue | undefined, key: string): string | undefined {
  const value = isObject(from) ? (from as JsonObject)[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The member when it is a number that can be added up: not below 0, and no more than anybody could use. */
export function countAt(from: JsonValue | undefined, key: string): number | undefined {
  const value = isObject(from) ? (from as JsonObject)[key] : undefined;
  return isCount(value) ? value : undefined;
}

/** A time as transcripts write it; undefined when it is none. */
export function timeAt(from: JsonValue | undefined, key: string): string | undefined {
  const written = isObject(from) ? (from as JsonObject)[key] : undefined;
  if (typeof written !== 'string' && typeof written !== 'number') return undefined;
  const time = new Date(written);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** The mapping itself, or an empty one. */
export function asObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? (value as JsonObject) : {};
}
