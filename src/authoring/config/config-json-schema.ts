import * as z from 'zod';

import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { prefixDefinitions } from '../prefix-definitions.ts';
import type { TargetPlugins } from './check-targets.ts';
import { commonTargetKeys, configSchema } from './schema.ts';

/** The JSON Schema (draft 7) of a config, for editors. Each target type has its own keys. */
export function configJsonSchema(plugins: TargetPlugins): JsonObject {
  const schema = jsonSchemaOf(configSchema);
  const parcels = [...plugins.values()].map(({ type, summary, config }) => ({
    about: { type, summary },
    ...prefixDefinitions(jsonSchemaOf(config), `${type}.`),
  }));
  const targets = parcels.map(({ schema: own, about }) => targetSchema(own, about));
  const agent = {
    type: 'object',
    required: ['agent'],
    properties: {
      agent: { description: 'The keys of the target.', allOf: [{ $ref: '#/definitions/target' }] },
    },
  };
  return {
    ...schema,
    title: 'assay config',
    definitions: {
      ...objectAt(schema, 'definitions'),
      ...COMMON.definitions,
      ...Object.assign({}, ...parcels.map((parcel) => parcel.definitions)),
      target: { anyOf: targets },
    },
    properties: {
      ...objectAt(schema, 'properties'),
      targets: keyed(schema, 'targets', { $ref: '#/definitions/target' }),
      runners: keyed(schema, 'runners', agent),
    },
  };
}

/** A key of the config whose value maps names to this schema. */
function keyed(schema: JsonObject, key: string, additionalProperties: JsonObject): JsonObject {
  return { ...objectAt(objectAt(schema, 'properties'), key), additionalProperties };
}

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-7' }) as JsonObject;
}

/** Adds the shared keys to the schema of a type, or to each of its alternatives. */
function targetSchema(
  own: JsonObject,
  about: { readonly type: string; readonly summary: string },
): JsonObject {
  const { $schema: _, ...schema } = own;
  for (const key of ['anyOf', 'oneOf']) {
    const alternatives = schema[key];
    if (Array.isArray(alternatives)) {
      return { ...schema, [key]: alternatives.map((each: JsonObject) => targetSchema(each, about)) };
    }
  }
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly JsonValue[]) : [];
  return {
    ...schema,
    properties: {
      ...objectAt(COMMON.schema, 'properties'),
      type: { const: about.type, description: about.summary },
      ...objectAt(schema, 'properties'),
    },
    required: ['type', ...required],
  };
}

const COMMON = prefixDefinitions(jsonSchemaOf(commonTargetKeys), 'common.');

function objectAt(schema: JsonObject, key: string): JsonObject {
  const value = schema[key];
  return isObject(value) ? (value as JsonObject) : {};
}
