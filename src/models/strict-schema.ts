import { isObject } from '../lib/json.ts';

/**
 * Whether a provider can hold an answer to a schema word for word: every object lists its keys, needs each of them and
 * allows no other. A schema that leaves something open is refused by some providers when they are asked to be strict.
 */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (!isObject(schema)) return true;
  const { properties, required } = schema;
  if (schema['type'] === 'object' || properties !== undefined) {
    if (schema['additionalProperties'] !== false || !isObject(properties)) return false;
    const needed = Array.isArray(required) ? required : [];
    if (!Object.keys(properties).every((key) => needed.includes(key))) return false;
    if (!Object.values(properties).every(isStrictSchema)) return false;
  }
  return ['items', 'anyOf', '$defs', 'definitions'].every((key) => isStrictPart(schema[key]));
}

function isStrictPart(part: unknown): boolean {
  const isNamed =
    isObject(part) &&
    part['type'] === undefined &&
    part['properties'] === undefined &&
    part['$ref'] === undefined;
  return isNamed ? Object.values(part).every(isStrictSchema) : isStrictSchema(part);
}
