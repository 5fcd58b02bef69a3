import { isObject } from '../lib/json.ts';

/**
 * Whether a provider can enforce a schema strictly: every object lists its keys, requires all of them and allows no
 * others. Some providers refuse other schemas in strict mode.
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
