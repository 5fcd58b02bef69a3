import * as z from 'zod';

import type { JsonObject } from '../../lib/json.ts';
import { freeMapping } from '../yaml/grammar-parts.ts';
import { unstorable } from './unstorable.ts';

/** The only schema version. */
export const SCHEMA_VERSION = '1.0.0';

const MOST_NAME_CHARACTERS = 255;
const MOST_TURNS = 2_147_483_647;

/** A text that every store and every reader can hold. */
const text = z
  .string()
  .superRefine(storable)
  .meta({ not: { pattern: String.raw`\u0000` } });

const nonBlank = text.regex(/\S/, 'must not be blank');

const freeObject = freeMapping.superRefine(storable).meta({ type: 'object' });

const name = text
  .regex(/\S/, 'must not be blank')
  .refine((value) => [...value].length <= MOST_NAME_CHARACTERS, {
    error: `must have at most ${MOST_NAME_CHARACTERS} characters`,
  })
  .meta({ maxLength: MOST_NAME_CHARACTERS, not: { pattern: String.raw`\u0000` } });

const persona = z.strictObject({
  type: text.describe('A short label, such as polite-customer.'),
  description: text.describe('Who the user is.'),
  instructions: text.describe('How the user behaves.'),
});

const expectedToolCall = z.strictObject({
  tool: nonBlank.describe('Name of the tool.'),
  expected_params: freeObject
    .nullable()
    .default(null)
    .describe('Required arguments; null or {}: any arguments.'),
});

/** A stored test case, schema 1.0.0: the twelve fields, and those that only files and the server use. */
export const storedCaseSchema = z.strictObject({
  schema_version: z
    .literal(SCHEMA_VERSION, { error: `the only supported schema version is "${SCHEMA_VERSION}"` })
    .optional()
    .describe('Version of the file format; not saved in the store.'),
  id: z
    .guid({ error: 'must be a UUID' })
    .toLowerCase()
    .optional()
    .describe('Id of the case. An import keeps this id. Without an id, the store creates one.'),
  created_at: z.string().optional().describe('Set by the server; ignored in files.'),
  updated_at: z.string().optional().describe('Set by the server; ignored in files.'),
  name: name.describe('A short name for people.'),
  description: text.nullable().default(null).describe('What the case tests, for people.'),
  difficulty: z
    .enum(['normal', 'hard'])
    .default('normal')
    .describe('Difficulty, for filtering and weighting.'),
  tags: z
    .array(nonBlank.transform((tag) => tag.trim()))
    .transform((tags) => [...new Set(tags)])
    .default([])
    .describe('Tags for grouping and filtering; trimmed, without duplicates.'),
  status: z
    .enum(['draft', 'active', 'archived'])
    .default('active')
    .describe('Only active cases run by default.'),
  persona: persona.nullable().default(null).describe('Who the simulated user is; null: an ordinary person.'),
  initial_message: text
    .nullable()
    .default(null)
    .describe('First message to the agent; null or blank: the simulated user writes it.'),
  user_context: freeObject.nullable().default(null).describe('What the simulated user knows; any keys.'),
  max_turns: z
    .int()
    .min(1)
    .max(MOST_TURNS)
    .nullable()
    .default(null)
    .describe('Agent turns after which the conversation ends; null: no limit.'),
  expected_outcomes: freeObject
    .nullable()
    .default(null)
    .describe('What must be true at the end: labels with descriptions.'),
  expected_tool_calls: z
    .array(expectedToolCall)
    .nullable()
    .default(null)
    .describe('Tools that must be called; []: no tool may be called.'),
  evaluation_criteria_override: text
    .nullable()
    .default(null)
    .describe('Criteria for this case, instead of the judge metrics.'),
});

/** A case as it is stored, with its defaults. */
export type StoredCase = Omit<
  z.output<typeof storedCaseSchema>,
  'schema_version' | 'id' | 'created_at' | 'updated_at'
>;

const MOCKS_HINT =
  'put the mocks of stored cases into the list `tool_mocks` next to `test_cases`, each with its `test_case`';

/** Hints for keys that people know from elsewhere. */
export const KEY_HINTS: Readonly<Record<string, string>> = {
  agent_system_prompt: 'remove the key: each run records the prompt of its agent',
  agent_tools: 'remove the key: each run records the tools of its agent',
  agent_id: 'agents are chosen when a run starts',
  persona_context: 'did you mean `persona`?',
  first_message: 'did you mean `initial_message`?',
  mock_responses: '`assay cases import` converts them to tool mocks',
  mocks: MOCKS_HINT,
  tool_mocks: MOCKS_HINT,
  tests: 'this is an eval file, not a stored test case: run it with `assay run FILE`',
  targets: 'this is a config, not a stored test case',
};

/** The draft-07 JSON Schema of a stored case; it accepts everything that the validator accepts. */
export function storedCaseJsonSchema(): JsonObject {
  const schema = z.toJSONSchema(storedCaseSchema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  }) as JsonObject;
  return { ...schema, title: 'assay stored test case' };
}

function storable(value: unknown, context: z.core.$RefinementCtx): void {
  for (const { path, message } of unstorable(value)) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
}
