import { isObject, type JsonObject, type JsonValue } from '../lib/json.ts';

/** A JSON Schema whose definitions stand elsewhere. */
export interface ParcelledSchema {
  /** Without definitions; its references name them with the prefix. */
  readonly schema: JsonObject;
  /** By their prefixed names. */
  readonly definitions: JsonObject;
}

/** Takes the definitions out of a schema under names of their own, so that those of many can stand in one place. */
export function prefixDefinitions(schema: JsonObject, prefix: string): ParcelledSchema {
  const { definitions = {}, ...rest } = renamed(schema, prefix) as JsonObject;
  const own = Object.entries(definitions as JsonObject).map(([name, value]) => [`${prefix}${name}`, value]);
  return { schema: rest, definitions: Object.fromEntries(own) as JsonObject };
}

function renamed(value: JsonValue, prefix: string): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => renamed(item, prefix));
  if (!isObject(value)) return value;
  const entries = Object.entries(value as JsonObject).map(([key, member]) => {
    const isReference = key === '$ref' && typeof member === 'string';
    return [
      key,
      isReference ? member.replace(REFERENCE, `${REFERENCE}${prefix}`) : renamed(member ?? null, prefix),
    ];
  });
  return Object.fromEntries(entries) as JsonObject;
}

const REFERENCE = '#/definitions/';
