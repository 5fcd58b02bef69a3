import { z } from 'zod';

import { WORST_FIRST } from '../../core/verdict.ts';
import type { JsonObject } from '../../lib/json.ts';
import { document, listDocument } from './document.ts';
import { listSort, pageOf, pageQuery, several } from './page.ts';

const STATUSES = ['draft', 'active', 'archived'] as const;
const freeObject = document<JsonObject>('Object', 'any keys').nullable();

/** A test case of the store. */
export const testCase = z.object({
  id: z.string().meta({ description: 'a UUID' }),
  name: z.string(),
  description: z.string().nullable(),
  difficulty: z.enum(['normal', 'hard']),
  tags: z.array(z.string()).readonly(),
  status: z.enum(STATUSES),
  persona: z.object({ type: z.string(), description: z.string(), instructions: z.string() }).nullable(),
  initial_message: z.string().nullable(),
  user_context: freeObject,
  max_turns: z.number().int().nullable(),
  expected_outcomes: freeObject,
  expected_tool_calls: z
    .array(z.object({ tool: z.string(), expected_params: freeObject }))
    .readonly()
    .nullable(),
  evaluation_criteria_override: z.string().nullable(),
  created_at: z.string().meta({ description: 'ISO 8601 with microseconds' }),
  updated_at: z.string().meta({ description: 'time of the last change of the case or its mocks' }),
});
export type TestCaseResource = z.infer<typeof testCase>;

/** Checked by the schema of `/schemas/test-case`. */
export const testCaseBody = document<Readonly<Record<string, unknown>>>(
  'TestCase',
  'the fields of `/schemas/test-case` without `id` and times; absent ones get their defaults',
);

export const testCaseChange = document<Readonly<Record<string, unknown>>>(
  'TestCaseChange',
  'some fields of `/schemas/test-case`; absent ones stay',
);

/** Parameters that select test cases. */
export const selectorQuery = {
  status: several(z.enum([...STATUSES, 'any'])),
  difficulty: several(z.enum(['normal', 'hard'])),
  tag_any: several(z.string()),
  tag_all: several(z.string()),
  search: z.string().optional().meta({ description: 'part of the name or the description' }),
  id: several(z.string()).meta({
    description: 'ids or names; selects these cases, whatever their status is',
  }),
  set: z
    .string()
    .optional()
    .meta({ description: 'id or name of a set: its members in their order, whatever their status' }),
};

export const testCasesQuery = z.strictObject({
  ...selectorQuery,
  sort: listSort.meta({ description: 'default: the order of the set; without a set, the oldest first' }),
  ...pageQuery,
});

export const testCases = pageOf(testCase);

/** A prepared answer to calls of a tool. */
const toolMock = z.object({
  tool: z.string(),
  match: z.enum(['partial', 'exact', 'any']),
  params: document<JsonObject>('Object', 'any keys').optional(),
  times: z.number().int().nullable().meta({ description: 'number of calls that it answers; null: all' }),
  result: z.unknown().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  handler: z.string().optional(),
});

export const toolMocks = z.object({ data: z.array(toolMock).readonly() });
export type ToolMocks = z.infer<typeof toolMocks>;

/** Checked by the grammar of mocks. */
export const toolMocksBody = listDocument<unknown>(
  'ToolMocks',
  'a list of mocks in the order in which they are tried, with the keys of `tool_mocks` in files, but without `test_case` and `test_case_id`',
);

const result = z.enum(['created', 'replaced', 'merged', 'unchanged', 'skipped']);

export const importQuery = z.strictObject({
  on_conflict: z.enum(['error', 'skip', 'merge', 'replace']).default('error'),
  match: z.enum(['id', 'name']).default('id'),
  drop: several(z.string()).meta({ description: 'unknown keys that are taken out of the cases' }),
  dry_run: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
});

export const importResult = z.object({
  created: z.number().int(),
  replaced: z.number().int(),
  merged: z.number().int(),
  unchanged: z.number().int(),
  skipped: z.number().int(),
  moved_mocks: z.number().int().meta({ description: 'from `mock_responses` of older files' }),
  dropped: z.record(z.string(), z.number().int()),
  items: z
    .array(z.object({ id: z.string().optional(), result }))
    .readonly()
    .meta({ description: 'in the order of the cases' }),
});

export const validation = z.object({
  cases: z.number().int(),
  problems: z
    .array(
      z.object({ code: z.string(), param: z.string(), message: z.string(), hint: z.string().optional() }),
    )
    .readonly(),
});

export const exportQuery = z.strictObject({
  ...selectorQuery,
  format: z.enum(['json', 'yaml', 'jsonl']).default('json'),
});

export const tags = z.object({
  data: z.array(z.object({ tag: z.string(), cases: z.number().int() })).readonly(),
});

/** A trial of a test case, in any run of the store. */
const trialOfCase = z.object({
  run_id: z.string(),
  number: z.number().int().meta({ description: 'position in the plan of its run, from 1' }),
  key: z.string(),
  target: z.string(),
  agent_version: z.number().int().nullable(),
  repetition: z.number().int(),
  verdict: z.enum(['passed', 'failed', 'errored', 'skipped', 'cancelled']).nullable().meta({
    description: 'null: it has not ended',
  }),
  status: z.string().nullable(),
  score: z.number().nullable(),
  is_unjudged: z.boolean().meta({ description: 'its verdict leaves out expected outcomes' }),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
});
export type TrialOfCaseResource = z.infer<typeof trialOfCase>;

export const lastVerdictsQuery = z.strictObject({
  id: z.union([z.array(z.guid()).max(200), z.guid().transform((one) => [one])]).meta({
    description: 'ids of test cases; may be repeated, at most 200 times',
  }),
});

const status = z.enum(WORST_FIRST);

/** How a test case went in one run. */
const runVerdict = z.object({
  run_id: z.string(),
  status: status.meta({ description: 'the worst of its trials, over targets and repetitions' }),
  number: z.number().int().meta({ description: 'the first trial with this status' }),
  counts: z.partialRecord(status, z.number().int()).meta({ description: 'trials by status' }),
});
export type RunVerdictResource = z.infer<typeof runVerdict>;

export const lastVerdicts = z.object({
  data: z
    .array(z.object({ test_case_id: z.string(), runs: z.array(runVerdict).readonly() }))
    .readonly()
    .meta({
      description:
        'only cases that have ended trials; the last five runs of each case, of its last 50 trials',
    }),
});

export const trialsOfCase = pageOf(trialOfCase);

/** What models learn about a case, and how it is graded. */
export const casePreview = z.object({
  user: z.string().nullable().meta({
    description: 'system prompt of the simulated user; null: the config has a scripted one',
  }),
  judge: z.string().nullable().meta({
    description: 'system prompt of the judge, before there is a conversation; null: no judge is asked',
  }),
  passing: z.array(z.string()).readonly().meta({
    description: 'what counts as passing, as sentences that must all hold; empty: nothing is graded',
  }),
});
export type CasePreviewResource = z.infer<typeof casePreview>;
