import * as z from 'zod';

import type { GraderPlugin } from '../../core/plugin.ts';
import { isObject } from '../../lib/json.ts';
import type { JsonObject } from '../../lib/json.ts';
import { commonKeys, EVALUATOR, suiteGrammar } from './grammar.ts';

/** The draft-07 JSON Schema of eval files, for editors; evaluators are those of the given graders. */
export function suiteJsonSchema(graders: ReadonlyMap<string, GraderPlugin>): JsonObject {
  const schema = jsonSchema(suiteGrammar);
  const definitions = isObject(schema['definitions']) ? schema['definitions'] : {};
  return {
    ...schema,
    title: 'assay eval file',
    definitions: { ...definitions, [EVALUATOR]: { anyOf: [...graders.values()].flatMap(entrySchemas) } },
  } as JsonObject;
}

/** What an entry of one grader may be: its own keys and the common ones, for each form of its configuration. */
function entrySchemas(plugin: GraderPlugin): readonly JsonObject[] {
  const common = properties(jsonSchema(commonKeys));
  return forms(jsonSchema(plugin.config)).map((form) => {
    const required = Array.isArray(form['required']) ? form['required'] : [];
    return {
      type: 'object',
      title: plugin.type,
      description: plugin.summary,
      properties: {
        type: { const: plugin.type, description: plugin.summary },
        ...common,
        ...properties(form),
      },
      required: ['type', ...required],
      additionalProperties: false,
      ...FREE_KEYS,
    } as JsonObject;
  });
}

/** The mappings a schema allows. */
function forms(schema: Record<string, unknown>): readonly Record<string, unknown>[] {
  const branches = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(branches) ? branches.filter(isObject).flatMap(forms) : [schema];
}

function properties(schema: Record<string, unknown>): Record<string, unknown> {
  return isObject(schema['properties']) ? schema['properties'] : {};
}

function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => {
      if (made.additionalProperties === false) Object.assign(made, FREE_KEYS);
    },
  });
}

const FREE_KEYS = { patternProperties: { '^x-': {} } };
