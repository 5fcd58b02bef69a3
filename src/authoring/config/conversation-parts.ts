import * as z from 'zod';
import { weightKey } from '../../core/verdict.ts';

const text = z.string().min(1);
const count = z.int().min(1);
/** A model name, or a reference to an environment variable. */
const modelName = z
  .string()
  .regex(/^[^/\s]+\/\S+$|\$\{\{/, 'write it as provider/name, such as openai/gpt-4o');

const judge = z.strictObject({
  model: modelName,
  temperature: z.number().min(0).optional(),
  maxOutputTokens: count.optional(),
  metrics: z
    .array(z.strictObject({ metric: text, weight: weightKey().optional() }))
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
  maxInputChars: count.optional(),
  timeoutMs: count.optional(),
  samples: count.optional(),
});

/** A metric defined by the author. */
export const metric = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be snake_case with at most 64 characters'),
  displayName: text.optional().describe('For people.'),
  tier: text.optional().describe('For grouping.'),
  kind: z.enum(['scored', 'binary']).describe('scored: 0 to 5. binary: passed or failed.'),
  rubric: z
    .string()
    .regex(/\S/, 'must not be blank')
    .describe('What it measures, and what each score means.'),
  defaultWeight: weightKey().describe('Weight when the list of metrics sets none.'),
});

/** A model that plays users. */
export const simulatedUser = z.strictObject({
  type: z.literal('simulated').optional(),
  model: modelName.describe('Model that plays the user, as provider/name.'),
  temperature: z.number().min(0).optional().describe('Default: 0.7.'),
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
  type: z.literal('scripted'),
  messages: z
    .array(z.string())
    .describe('Messages sent one after the other, after the first message of the case.'),
});

/** A judge, or the name of a target that is used as one. */
export const judgeChoice = z.union([text, judge]);
