import * as z from 'zod';

import type { ProblemCode } from '../../core/error-code.ts';
import { weightKey } from '../../core/verdict.ts';

const text = z.string().min(1);
const count = z.int().min(1);
/** A model name, or a reference to an environment variable. */
const modelName = z
  .string()
  .regex(/^[^/\s]+\/\S+$|\$\{\{/, 'write it as provider/name, such as openai/gpt-4o');

/** Keys of a mapping that names either a model or a target. */
const askedOne = {
  model: modelName.optional().describe('The model, as provider/name.'),
  target: text.optional().describe('Name of a target that is used instead of a model.'),
};

/** For editors. */
const ONE_ASKED = { oneOf: [{ required: ['model'] }, { required: ['target'] }] };

const judgeSettings = z.strictObject({
  ...askedOne,
  temperature: z.number().min(0).optional().describe('Randomness of its answers. Default: 0.'),
  maxOutputTokens: count.optional().describe('Maximum tokens of one answer. Default: 4096.'),
  metrics: z
    .array(
      z.strictObject({
        metric: text.describe('Name of a built-in metric, or id of one in `metrics`.'),
        weight: weightKey().optional().describe('Weight; shares of the sum count.'),
      }),
    )
    .nullable()
    .optional()
    .describe(
      'Metrics that score stored cases; an empty list switches them off. Default: eight built-in metrics.',
    ),
  passThreshold: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe('Pass threshold for the overall score of a stored case, 0 to 100. Default: 75.'),
  scoreGate: z
    .enum(['auto', 'always', 'never'])
    .optional()
    .describe(
      'Whether stored cases must reach the threshold; auto: only cases without outcomes. Default: auto.',
    ),
  toolCalls: z
    .enum(['gate', 'report'])
    .optional()
    .describe('Whether a missing expected tool call fails a stored case. Default: gate.'),
  maxInputChars: count
    .optional()
    .describe('Maximum length of the material in characters; more is an error. Default: 400000.'),
  timeoutMs: count.optional().describe('Time limit of one answer in milliseconds. Default: 120000.'),
  samples: count.optional().describe('Number of times it is asked. Default: 1.'),
});

/** A metric defined by the author. */
export const metric = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be snake_case with at most 64 characters')
    .describe('Name of the metric in lists and results.'),
  displayName: text.optional().describe('Name for people.'),
  tier: text.optional().describe('Group of the metric in reports.'),
  kind: z.enum(['scored', 'binary']).describe('scored: 0 to 5. binary: passed or failed.'),
  rubric: z
    .string()
    .regex(/\S/, 'must not be blank')
    .describe('What it measures, and what each score means.'),
  defaultWeight: weightKey().describe('Weight when the list of metrics sets none.'),
});

const userSettings = z.strictObject({
  type: z.literal('simulated').optional().describe('A model plays the user.'),
  ...askedOne,
  temperature: z.number().min(0).optional().describe('Sampling temperature. Default: 0.7.'),
  maxOutputTokens: count.optional().describe('Maximum tokens of one answer. Default: 1024.'),
  audit: z
    .enum(['off', 'report', 'enforce'])
    .optional()
    .describe(
      'What happens to doubtful lines of the user: ignored, flagged, or the trial errors. Default: report.',
    ),
  auditJudge: z.boolean().optional().describe('Whether the judge also checks each line.'),
});

/** Messages that every user sends. */
export const scriptedUser = z.strictObject({
  type: z.literal('scripted').describe('Every user sends the same messages.'),
  messages: z
    .array(z.string())
    .describe('Messages sent one after the other, after the first message of the case.'),
});

/** A model that plays users, or the target whose model does. */
export const simulatedUser = userSettings.superRefine(oneAsked).meta(ONE_ASKED);

/** A judge, or the name of a target that judges. */
export const judgeChoice = z.union([text, judgeSettings.superRefine(oneAsked).meta(ONE_ASKED)]);

function oneAsked(
  { model, target }: { readonly model?: string | undefined; readonly target?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (model !== undefined && target !== undefined) {
    context.addIssue({ code: 'custom', path: ['target'], message: 'cannot be used together with `model`' });
  }
  if (model !== undefined || target !== undefined) return;
  const message = 'needs `model` (provider/name) or `target`';
  const params = { code: 'missing-key' satisfies ProblemCode };
  context.addIssue({ code: 'custom', path: ['model'], message, params });
}
