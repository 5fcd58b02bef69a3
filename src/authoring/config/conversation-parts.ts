import * as z from 'zod';

import type { ProblemCode } from '../../core/error-code.ts';
import { weightKey } from '../../core/verdict.ts';

const text = z.string().min(1);
const count = z.int().min(1);
/** Or one that the environment names. */
const modelName = z
  .string()
  .regex(/^[^/\s]+\/\S+$|\$\{\{/, 'write it as provider/name, such as openai/gpt-4o');

/** Who is asked, where a mapping names either a model or a target. */
const askedOne = {
  model: modelName.optional().describe('As provider/name.'),
  target: text.optional().describe('The name of a target, in the place of a model.'),
};

/** For editors. */
const ONE_ASKED = { oneOf: [{ required: ['model'] }, { required: ['target'] }] };

const judgeSettings = z.strictObject({
  ...askedOne,
  temperature: z.number().min(0).optional(),
  maxOutputTokens: count.optional(),
  metrics: z
    .array(z.strictObject({ metric: text, weight: weightKey().optional() }))
    .nullable()
    .optional()
    .describe(
      'By which stored cases are scored; an empty list: by none. Default: eight of the built-in ones.',
    ),
  passThreshold: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe('The least overall score of a stored case that passes, 0..100. Default: 75.'),
  scoreGate: z
    .enum(['auto', 'always', 'never'])
    .optional()
    .describe('Whether stored cases have to reach it; auto: those without outcomes. Default: auto.'),
  toolCalls: z
    .enum(['gate', 'report'])
    .optional()
    .describe('Whether a stored case fails whose expected tool calls were not made. Default: gate.'),
  maxInputChars: count.optional(),
  timeoutMs: count.optional(),
  samples: count.optional(),
});

/** A metric of the author's own. */
export const metric = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be snake_case, of at most 64 characters'),
  displayName: text.optional().describe('For people.'),
  tier: text.optional().describe('For grouping.'),
  kind: z.enum(['scored', 'binary']).describe('Scored from 0 to 5, or passed or not.'),
  rubric: z
    .string()
    .regex(/\S/, 'must not be blank')
    .describe('What it is about, and what each score stands for.'),
  defaultWeight: weightKey().describe('Where it is listed without one.'),
});

const userSettings = z.strictObject({
  type: z.literal('simulated').optional(),
  ...askedOne,
  temperature: z.number().min(0).optional().describe('Default: 0.7.'),
  maxOutputTokens: count.optional().describe('Of one answer. Default: 1024.'),
  audit: z
    .enum(['off', 'report', 'enforce'])
    .optional()
    .describe(
      'Whether doubtful lines of the user are left alone, flagged, or make the trial errored. Default: report.',
    ),
  auditJudge: z.boolean().optional().describe('Whether the judge’s model looks at each line too.'),
});

/** Lines that every user says. */
export const scriptedUser = z.strictObject({
  type: z.literal('scripted'),
  messages: z.array(z.string()).describe('Said one after the other, after the first message of the case.'),
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
    context.addIssue({ code: 'custom', path: ['target'], message: 'cannot stand beside `model`' });
  }
  if (model !== undefined || target !== undefined) return;
  const message = 'name who is asked: `model` (provider/name) or `target`';
  const params = { code: 'missing-key' satisfies ProblemCode };
  context.addIssue({ code: 'custom', path: ['model'], message, params });
}
