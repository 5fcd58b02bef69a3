import * as z from 'zod';

import { isObject } from '../../lib/json.ts';
import type { JsonObject } from '../../lib/json.ts';
import { freeMapping, limits, messages, workspace } from './grammar-parts.ts';
import { mocks, plannedFaults, tools } from './world-grammar.ts';
import { weightKey } from '../../core/verdict.ts';

/** Name of the definition of evaluator entries in the JSON Schema. */
export const EVALUATOR = 'evaluator';

/** Name of the definition of rubric items in the JSON Schema. */
export const RUBRIC_ITEM = 'rubric_item';

const nonBlank = z.string().regex(/\S/, 'must not be blank');
const names = z.array(nonBlank);
const share = z.number().min(0).max(1);

/** An evaluator entry as far as it is the same for all types; the rest of its keys are its grader's. */
const evaluator = z
  .custom<JsonObject>(isObject, {
    error: 'expected an evaluator',
    params: { expected: 'a mapping with `type`' },
  })
  .meta({ id: EVALUATOR });

const evaluators = z
  .array(z.union([evaluator, nonBlank]))
  .describe('Evaluators; a bare text is one item of a rubric.');

/** Keys that every evaluator has besides those of its type. */
export const commonKeys = z.strictObject({
  name: nonBlank
    .optional()
    .describe(
      'Default: made from the type and its value. A second one of the same name in a test gets `-2`.',
    ),
  weight: weightKey().optional().describe('Its share of the score. Default: 1.'),
  required: z
    .union([z.boolean(), z.number().gt(0).lte(1)])
    .optional()
    .describe('A gate: true (a score of at least 0.8) or the least score, in (0, 1].'),
  negate: z.boolean().optional().describe('Turns the score round.'),
  threshold: share
    .optional()
    .describe("The least score that counts as this evaluator's own pass. Default: 0.8."),
});

const shared = {
  name: nonBlank.optional().describe('A label.'),
  description: z.string().optional().describe('For people.'),
  tags: z.array(nonBlank).optional().describe('For selecting; those of suite and test are joined.'),
  metadata: freeMapping
    .optional()
    .describe('Given to workspace scripts and graders; the test wins key by key.'),
  assert: evaluators.optional(),
  workspace: workspace
    .optional()
    .describe('The directory a trial works in; a field of the test replaces the suite’s.'),
  threshold: share.optional().describe('The least score that passes. Default: 0.8.'),
  limits: limits.optional().describe('Ceilings of one trial; the test wins key by key.'),
  repeat: z.number().int().positive().optional().describe('How often a test is run.'),
  mocks: mocks
    .optional()
    .describe('Prepared answers of tools, tried in order; those of a test replace the suite’s of that tool.'),
  faults: plannedFaults
    .optional()
    .describe('Misbehaviour of tools; those of a test replace the suite’s of that tool.'),
  vars: freeMapping.optional().describe('Values for {{ vars.name }}; the test wins key by key.'),
};

const execution = {
  target: nonBlank.optional().describe('Name of the target.'),
  targets: names.min(1).optional().describe('Names of several targets: the test runs on each.'),
  evaluators: evaluators.optional(),
};

/** The grader of rubrics knows what is in an item. */
const rubric = z.union([nonBlank, freeMapping]).meta({ id: RUBRIC_ITEM });

const persona = z.strictObject({
  type: z.string().describe('A short label, such as polite-customer.'),
  description: z.string().describe('Who the user is.'),
  instructions: z.string().describe('How the user behaves.'),
});

/** A person that a model plays. */
const user = z.strictObject({
  persona: z.union([nonBlank, persona]).optional().describe('Who the user is; a text is the description.'),
  context: freeMapping.optional().describe('What the user knows.'),
  goals: z
    .union([nonBlank, names.min(1)])
    .optional()
    .describe('What the user wants.'),
  max_turns: z.number().int().positive().optional().describe('Turns of the target, at most.'),
});

const turn = z.strictObject({
  input: messages.describe('What the user says: one message.'),
  assert: evaluators.optional().describe('Evaluators that see the transcript as it stands after the answer.'),
});

/** One entry of `tests`; it has `input`, `turns` or `user`. */
export const testGrammar = z
  .strictObject({
    id: z.string().regex(/\S/, 'must not be blank').max(200).describe('Unique in the suite.'),
    criteria: nonBlank.optional().describe('What a good answer is; needed where an evaluator reads it.'),
    input: messages
      .optional()
      .describe(
        'Text, a message, a list of messages, or a mapping that is passed as JSON; beside `turns` it is history, beside `user` its last message opens the conversation.',
      ),
    expected_output: messages
      .optional()
      .describe('An ideal answer; the content of its last message is the reference.'),
    oracle: messages
      .optional()
      .describe('An answer that must pass, for `assay verify-graders`. Default: `expected_output`.'),
    execution: z
      .strictObject({
        ...execution,
        skip_defaults: z.boolean().optional().describe('Leaves out the evaluators of the suite.'),
      })
      .optional()
      .describe('Target and evaluators of this test.'),
    ...shared,
    sidecar: freeMapping.optional().describe('Given to evaluators only.'),
    rubrics: z
      .array(rubric)
      .min(1)
      .optional()
      .describe('Items of a rubric that stands before the other evaluators.'),
    expected_fail: z.boolean().optional().describe('The test is expected to fail; passing is the surprise.'),
    skip: nonBlank.optional().describe('Why the test is planned and not run.'),
    depends_on: names.optional().describe('Ids of tests that have to pass first.'),
    user: user.optional().describe('A user that a model plays; `user` of the config names it.'),
    turns: z
      .array(turn)
      .min(1)
      .optional()
      .describe('A scripted conversation: the next line after each answer.'),
  })
  .meta({ anyOf: ['input', 'turns', 'user'].map((key) => ({ required: [key] })) });

/** An eval file. */
export const suiteGrammar = z.strictObject({
  $schema: z.string().optional().describe('For editors.'),
  version: z.union([z.string(), z.number()]).optional().describe('Yours; nothing reads it.'),
  ...shared,
  tests: z
    .union([
      nonBlank.describe('Path of a .yaml, .jsonl or .csv file with the tests.'),
      z.array(
        z.union([
          z.string().regex(/^file:\/\/./, 'only `file://` and a path or glob may stand here'),
          testGrammar,
        ]),
      ),
    ])
    .describe('The tests: a list, or a path; an entry may be file://GLOB.'),
  execution: z.strictObject(execution).optional().describe('Target and evaluators of all tests.'),
  input: messages.optional().describe('Messages put before the input of every test.'),
  tools: tools.optional().describe('Tools the target is offered beside its own, for mocks to answer.'),
});

/** Everything of a suite but its tests. */
export const suiteKeysGrammar = suiteGrammar.omit({ tests: true });

export type TestGrammar = z.infer<typeof testGrammar>;
export type SuiteKeys = z.infer<typeof suiteKeysGrammar>;
export type EvaluatorGrammar = NonNullable<TestGrammar['assert']>[number];
export type CommonKeys = z.infer<typeof commonKeys>;
