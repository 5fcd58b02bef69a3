import * as z from 'zod';

import { isObject, type JsonObject } from '../../lib/json.ts';
import { variantsSection } from '../config/variants-section.ts';
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

/** The keys of an evaluator entry that all types share; the other keys belong to its grader. */
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
    .describe('Name of the expectation. Default: its type and value. If a name occurs again, `-2` is added.'),
  weight: weightKey().optional().describe('Weight in the score. Default: 1.'),
  required: z
    .union([z.boolean(), z.number().gt(0).lte(1)])
    .optional()
    .describe(
      'If the score is too low, the trial fails, whatever its other scores are. true: the score must be at least 0.8. A number above 0 and at most 1: the lowest accepted score.',
    ),
  negate: z.boolean().optional().describe('Inverts the score.'),
  threshold: share.optional().describe('Score from which this evaluator passes. Default: 0.8.'),
  metric: nonBlank
    .optional()
    .describe('Name for totals: the grades of all evaluators with the same `metric` are counted together.'),
});

const shared = {
  name: nonBlank.optional().describe('A label.'),
  description: z.string().optional().describe('For people.'),
  tags: z
    .array(nonBlank)
    .optional()
    .describe('Tags for selecting tests; those of suite and test are combined.'),
  metadata: freeMapping
    .optional()
    .describe('Values for workspace scripts and graders; keys of a test override those of the suite.'),
  assert: evaluators.optional(),
  workspace: workspace
    .optional()
    .describe('Working directory of a trial; fields of a test override those of the suite.'),
  threshold: share.optional().describe('Pass threshold, 0 to 1. Default: 0.8.'),
  limits: limits.optional().describe('Limits of one trial; keys of a test override those of the suite.'),
  repeat: z.number().int().positive().optional().describe('Number of repetitions of a test.'),
  mocks: mocks
    .optional()
    .describe(
      'Prepared answers of tools, tried in order; those of a test replace those of the suite for the same tool.',
    ),
  faults: plannedFaults
    .optional()
    .describe(
      'Planned misbehaviour of tools; entries of a test replace those of the suite for the same tool.',
    ),
  vars: freeMapping
    .optional()
    .describe('Values for {{ vars.name }}; keys of a test override those of the suite.'),
};

const execution = {
  target: nonBlank.optional().describe('Name of the target.'),
  targets: names.min(1).optional().describe('Names of several targets: the test runs on each.'),
  evaluators: evaluators.optional(),
};

/** The grader of rubrics defines what an item contains. */
const rubric = z.union([nonBlank, freeMapping]).meta({ id: RUBRIC_ITEM });

const persona = z.strictObject({
  type: z.string().describe('A short label, such as polite-customer.'),
  description: z.string().describe('Who the user is.'),
  instructions: z.string().describe('How the user behaves.'),
});

/** A person that a model plays. */
const user = z.strictObject({
  persona: z
    .union([nonBlank, persona])
    .optional()
    .describe('Who the user is; a text is used as the description.'),
  context: freeMapping.optional().describe('What the user knows.'),
  goals: z
    .union([nonBlank, names.min(1)])
    .optional()
    .describe('What the user wants.'),
  max_turns: z.number().int().positive().optional().describe('Maximum turns of the target.'),
});

const turn = z.strictObject({
  input: messages.describe('The message of the user.'),
  assert: evaluators.optional().describe('Evaluators that see the transcript up to this answer.'),
});

/** One entry of `tests`; it has `input`, `turns` or `user`, unless the suite has the input of all tests. */
export const testGrammar = z.strictObject({
  id: z.string().regex(/\S/, 'must not be blank').max(200).describe('Unique in the suite.'),
  criteria: nonBlank.optional().describe('What a good answer must do; required if an evaluator reads it.'),
  input: messages
    .optional()
    .describe(
      'A text, a message, a list of messages, or a mapping that is passed as JSON. With `turns` it is history; with `user` its last message starts the conversation.',
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
  sidecar: freeMapping.optional().describe('Values for evaluators only.'),
  rubrics: z
    .array(rubric)
    .min(1)
    .optional()
    .describe('Items of a rubric that comes before the other evaluators.'),
  expected_fail: z
    .boolean()
    .optional()
    .describe('The test is expected to fail; a pass is reported as unexpected.'),
  impossible: nonBlank
    .optional()
    .describe(
      'Reason why nobody can pass this test without cheating. It is expected to fail; a pass makes the results inconclusive.',
    ),
  skip: nonBlank.optional().describe('Reason why the test is skipped.'),
  depends_on: names.optional().describe('Ids of tests that must pass first.'),
  user: user.optional().describe('A simulated user; the model is set by `user` of the config.'),
  turns: z
    .array(turn)
    .min(1)
    .optional()
    .describe('A scripted conversation: one user message after each answer.'),
});

/** An eval file. */
export const suiteGrammar = z.strictObject({
  $schema: z.string().optional().describe('Address of the JSON Schema; only editors use it.'),
  version: z.union([z.string(), z.number()]).optional().describe('For your own use; ignored by assay.'),
  ...shared,
  tests: z
    .union([
      nonBlank.describe('Path of a .yaml, .jsonl or .csv file with the tests.'),
      z.array(
        z.union([
          z.string().regex(/^file:\/\/./, 'must be `file://` followed by a path or glob'),
          testGrammar,
        ]),
      ),
    ])
    .describe('The tests: a list, or a path; an entry may be file://GLOB.'),
  execution: z
    .strictObject({
      ...execution,
      variants: variantsSection
        .optional()
        .describe(
          'Targets made from one target of the config, for this suite only: one for each combination of values.',
        ),
    })
    .optional()
    .describe('Target and evaluators of all tests.'),
  input: messages
    .optional()
    .describe('Messages before the input of every test; the question of tests that have no `input`.'),
  derived_metrics: z
    .record(nonBlank, nonBlank)
    .optional()
    .describe(
      'Names and formulas of totals, computed from the means of metrics, such as `2 * p * r / (p + r)`.',
    ),
  assert_column: z
    .union([nonBlank, names.min(1)])
    .optional()
    .describe('Columns of the file of tests. Each cell contains more evaluators for its row.'),
  tools: tools.optional().describe('Tools offered to the target besides its own, answered by mocks.'),
});

export const suiteKeysGrammar = suiteGrammar.omit({ tests: true });

export type TestGrammar = z.infer<typeof testGrammar>;
export type SuiteKeys = z.infer<typeof suiteKeysGrammar>;
export type EvaluatorGrammar = NonNullable<TestGrammar['assert']>[number];
export type CommonKeys = z.infer<typeof commonKeys>;
