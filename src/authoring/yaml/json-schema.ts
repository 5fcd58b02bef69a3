import * as z from 'zod';

import type { GraderPlugin } from '../../core/plugin.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { prefixDefinitions } from '../prefix-definitions.ts';
import { RUBRICS } from './entries.ts';
import { commonKeys, EVALUATOR, RUBRIC_ITEM, suiteGrammar } from './grammar.ts';

/** The draft-07 JSON Schema of eval files, for editors; evaluators are those of the given graders. */
export function suiteJsonSchema(graders: ReadonlyMap<string, GraderPlugin>): JsonObject {
  const schema = jsonSchema(suiteGrammar);
  const entries = [...graders.values()].map(entrySchema);
  return {
    ...schema,
    title: 'assay eval file',
    definitions: {
      ...definitions(schema),
      ...Object.assign({}, ...entries.map((entry) => entry.definitions)),
      ...rubricItem(graders.get(RUBRICS)),
      [EVALUATOR]: { anyOf: entries.flatMap((entry) => entry.forms) },
    },
  } as JsonObject;
}

type Schema = Record<string, unknown>;

/** The entries of one grader: its own keys and the common ones, for each form of its configuration. */
function entrySchema(plugin: GraderPlugin): {
  readonly forms: readonly Schema[];
  readonly definitions: Schema;
} {
  const common = properties(jsonSchema(commonKeys));
  const config = prefixDefinitions(jsonSchema(plugin.config) as JsonObject, `${plugin.type}.`);
  const made = forms(config.schema).map((form) => ({
    type: 'object',
    title: plugin.type,
    description: plugin.summary,
    properties: {
      type: { const: plugin.type, description: plugin.summary },
      ...common,
      ...properties(form),
      ...(plugin.members === undefined ? {} : members(form)),
    },
    required: ['type', ...(Array.isArray(form['required']) ? (form['required'] as string[]) : [])],
    additionalProperties: false,
    ...FREE_KEYS,
  }));
  return { forms: made, definitions: config.definitions };
}

/** Members are evaluators themselves, which the schema of a grader cannot express. */
function members(form: Schema): Schema {
  const { [MEMBERS]: list } = properties(form);
  if (!isObject(list)) return {};
  return { [MEMBERS]: { ...list, items: { $ref: `#/definitions/${EVALUATOR}` } } };
}

const MEMBERS = 'assert';

/** `rubrics` of a test has the schema of `criteria` of the grader of that name. */
function rubricItem(rubrics: GraderPlugin | undefined): Schema {
  const { criteria } = rubrics === undefined ? {} : properties(jsonSchema(rubrics.config));
  return isObject(criteria) && isObject(criteria['items']) ? { [RUBRIC_ITEM]: criteria['items'] } : {};
}

function definitions(schema: Schema): Schema {
  return isObject(schema['definitions']) ? schema['definitions'] : {};
}

/** The mappings that a schema allows. */
function forms(schema: Schema): readonly Schema[] {
  const branches = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(branches) ? branches.filter(isObject).flatMap(forms) : [schema];
}

function properties(schema: Schema): Schema {
  return isObject(schema['properties']) ? schema['properties'] : {};
}

function jsonSchema(schema: z.ZodType): Schema {
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
