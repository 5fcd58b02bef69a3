import * as z from 'zod';

import type { JudgeSettings } from '../../core/judge.ts';
import type { ModelChoice } from '../../core/model.ts';
import type { TargetSettings } from '../../core/plugin.ts';
import { given } from '../../lib/given.ts';
import { promptRole } from '../given-prompt.ts';

const count = z.lazy(() => z.number().int().positive());

/** Config keys of every target that is a model. */
export const modelKeys = {
  system: z
    .string()
    .optional()
    .describe(
      'System prompt, or the path of a file with it (file://..., ./..., or a name with .md or .txt).',
    ),
  promptRole: promptRole('as the system prompt'),
  temperature: z.number().min(0).optional().describe('Sampling temperature of the model.'),
  maxOutputTokens: count.optional().describe('Maximum output tokens of one answer.'),
  images: z.boolean().default(false).describe('Whether the target accepts images.'),
  stream: z.boolean().default(false).describe('Streams answers, so that idleTimeoutMs can detect silence.'),
  maxStepsPerTurn: count
    .default(16)
    .describe('Maximum steps in one turn; a step is an answer with its tool calls.'),
};

export type ModelKeys = z.infer<z.ZodObject<typeof modelKeys>>;

export const modelConfig = z.lazy(() =>
  z.strictObject({
    ...modelKeys,
    model: z
      .string()
      .regex(/^[^/]+\/.+$/, 'write it as provider/name, such as openai/gpt-5-mini')
      .describe('provider/name; the provider is configured in `models`.'),
  }),
);

export type ModelConfig = z.infer<typeof modelConfig>;

/** The model of a target that is used as a judge; without its system prompt. */
export function judgeSettings(
  choice: ModelChoice,
  { temperature, maxOutputTokens }: Pick<ModelKeys, 'temperature' | 'maxOutputTokens'>,
  { price, timeoutMs }: Pick<TargetSettings, 'price' | 'timeoutMs'>,
): JudgeSettings {
  return {
    ...choice,
    ...given({ temperature, maxOutputTokens, price, timeoutMs }),
  };
}
