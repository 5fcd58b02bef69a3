import * as z from 'zod';

import type { JudgeSettings } from '../../core/judge.ts';
import type { ModelChoice } from '../../core/model.ts';
import type { TargetSettings } from '../../core/plugin.ts';
import { given } from '../../lib/given.ts';

const count = z.lazy(() => z.number().int().positive());

/** Keys of every target that is a model run by us. */
export const modelKeys = {
  system: z
    .string()
    .optional()
    .describe('Its system prompt, or the path of a file with it (file://..., ./..., a name in .md or .txt)'),
  temperature: z.number().min(0).optional().describe('Randomness of its answers.'),
  maxOutputTokens: count.optional().describe('Of one answer of the model'),
  images: z.boolean().default(false).describe('Whether it understands images'),
  stream: z
    .boolean()
    .default(false)
    .describe('Lets answers come piece by piece, so that idleTimeoutMs sees signs of life'),
  maxStepsPerTurn: count.default(16).describe('Answers of the model in one turn, tool calls included'),
};

export type ModelKeys = z.infer<z.ZodObject<typeof modelKeys>>;

export const modelConfig = z.lazy(() =>
  z.strictObject({
    ...modelKeys,
    model: z
      .string()
      .regex(/^[^/]+\/.+$/, 'write it as provider/name, such as openai/gpt-4o')
      .describe('provider/name; the provider is set up in `models` of the config'),
  }),
);

export type ModelConfig = z.infer<typeof modelConfig>;

/** How the model of a target is asked where it judges; its system prompt stays with the target. */
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
