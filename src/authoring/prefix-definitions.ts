import { isObject, type JsonObject, type JsonValue } from '../lib/json.ts';

/** A JSON Schema and its definitions, separated. */
export interface ParcelledSchema {
  /** Without definitions; its references use the prefixed names. */
  readonly schema: JsonObject;
  /** Definitions by their prefixed names. */
  readonly definitions: JsonObject;
}

/** Separates the definitions of a schema and prefixes their names, so that those of many schemas can be merged. */
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
