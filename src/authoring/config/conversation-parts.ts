import * as z from 'zod';

import type { ProblemCode } from '../../core/error-code.ts';
import { metricKeys } from '../../core/metric-grammar.ts';
import { weightKey } from '../../core/verdict.ts';
import { timeLimitMs } from '../../lib/time/time-limit.ts';

const text = z.string().min(1);
const count = z.int().min(1);
/** A model name, or a reference to an environment variable. */
const modelName = z
  .string()
  .regex(/^[^/\s]+\/\S+$|\$\{\{/, 'write it as provider/name, such as openai/gpt-5-mini');

/** Keys of a mapping that names either a model or a target. */
const askedOne = {
  model: modelName.optional().describe('The model, as provider/name.'),
  target: text.optional().describe('Name of a target that is used instead of a model.'),
};

/** For editors. */
const ONE_ASKED = { oneOf: [{ required: ['model'] }, { required: ['target'] }] };

export const judgeSettings = z.strictObject({
  ...askedOne,
  temperature: z.number().min(0).optional().describe('Sampling temperature of the judge. Default: 0.'),
  maxOutputTokens: count.optional().describe('Maximum tokens of one answer. Default: 4096.'),
  metrics: z
    .array(
      z.strictObject({
        metric: text.describe('Name of a built-in metric, or id of one in `metrics`.'),
        weight: weightKey().optional().describe('Weight, relative to the sum of all weights.'),
      }),
    )
    .nullable()
    .optional()
    .describe(
      'Metrics that score stored cases; an empty list means no metrics. Default: eight built-in metrics.',
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
      'Whether a stored case must reach `passThreshold` to pass. auto: only if it has no `expected_outcomes`. Default: auto.',
    ),
  toolCalls: z
    .enum(['gate', 'report'])
    .optional()
    .describe(
      'What happens if an expected tool call is missing. gate: the stored case fails. report: the missing call is only reported. Default: gate.',
    ),
  outcomes: z
    .enum(['gate', 'off'])
    .optional()
    .describe(
      'gate: the judge decides the `expected_outcomes` of stored cases, and all of them must hold. off: they are not judged, and every report says so. Default: gate.',
    ),
  maxInputChars: count
    .optional()
    .describe(
      'Maximum length of the text from the trial that the judge gets, in characters; more is an error. Default: 400000.',
    ),
  timeoutMs: timeLimitMs().optional().describe('Time limit of one answer in milliseconds. Default: 120000.'),
  samples: count.optional().describe('Number of times that the judge is asked. Default: 1.'),
});

/** A metric defined by the author. */
export const metric = z.strictObject(metricKeys());

/** The keys of a simulated user. */
export const userSettings = z.strictObject({
  type: z.literal('simulated').optional().describe('A model plays the user.'),
  ...askedOne,
  temperature: z.number().min(0).optional().describe('Sampling temperature. Default: 0.7.'),
  maxOutputTokens: count.optional().describe('Maximum tokens of one answer. Default: 1024.'),
  audit: z
    .enum(['off', 'report', 'enforce'])
    .optional()
    .describe(
      'What to do if the simulated user does not keep to its role, for example repeats its instructions. off: nothing. report: flag them. enforce: the trial is errored. Default: report.',
    ),
  auditJudge: z.boolean().optional().describe('Whether the judge also checks each message of the user.'),
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

/** Keys that score stored cases, which may need no judge. */
const SCORING = ['metrics', 'passThreshold', 'scoreGate', 'toolCalls', 'outcomes'] as const;

/** The judge of the whole config. It may only say how stored cases are scored. */
export const judgeOrScoring = z
  .union([
    text,
    judgeSettings
      .superRefine((judge, context) => {
        if (SCORING.some((key) => judge[key] !== undefined)) notBoth(judge, context);
        else oneAsked(judge, context);
      })
      .meta({
        anyOf: ['model', 'target', ...SCORING].map((key) => ({ required: [key] })),
        not: { required: ['model', 'target'] },
      }),
  ])
  .optional()
  .describe(
    'The judge: the model or target that grades answers. This key also contains the metrics for stored cases. With `metrics: []`, a stored case needs a judge only if it has `expected_outcomes` or `evaluation_criteria_override`.',
  );

interface Asked {
  readonly model?: string | undefined;
  readonly target?: string | undefined;
}

function notBoth({ model, target }: Asked, context: z.RefinementCtx): void {
  if (model === undefined || target === undefined) return;
  context.addIssue({ code: 'custom', path: ['target'], message: 'cannot be used together with `model`' });
}

function oneAsked(asked: Asked, context: z.RefinementCtx): void {
  notBoth(asked, context);
  if (asked.model !== undefined || asked.target !== undefined) return;
  const message = 'needs `model` (provider/name) or `target`';
  const params = { code: 'missing-key' satisfies ProblemCode };
  context.addIssue({ code: 'custom', path: ['model'], message, params });
}
