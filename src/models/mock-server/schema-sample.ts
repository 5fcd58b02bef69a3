import { isObject, type JsonValue } from '../../lib/json.ts';

/** A value that a JSON Schema allows: highest number, true, first choice, otherwise as little as possible. */
export function schemaSample(schema: unknown): JsonValue {
  if (!isObject(schema)) return {};
  if ('const' in schema) return schema['const'] as JsonValue;
  const { enum: choices, anyOf, oneOf, type } = schema;
  if (Array.isArray(choices)) return choices[0] as JsonValue;
  const variants = anyOf ?? oneOf;
  if (Array.isArray(variants)) return schemaSample(variants[0]);
  switch (Array.isArray(type) ? type[0] : (type ?? 'object')) {
    case 'object':
      return objectSample(schema);
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 0) }, () => schemaSample(schema['items']));
    case 'string':
      return 'as scripted';
    case 'number':
    case 'integer':
      return Number(schema['maximum'] ?? schema['minimum'] ?? 1);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function objectSample(schema: Record<string, unknown>): JsonValue {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : Object.keys(properties);
  return Object.fromEntries(required.map((key) => [String(key), schemaSample(properties[String(key)])]));
}
