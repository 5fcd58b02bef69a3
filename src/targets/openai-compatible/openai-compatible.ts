import * as z from 'zod';

import type { TargetPlugin } from '../../core/plugin.ts';
import { judgeSettings, modelKeys } from '../model/config.ts';
import { openModelSession } from '../model/session.ts';
import { given } from '../../lib/given.ts';

const config = z.lazy(() =>
  z.strictObject({
    ...modelKeys,
    baseUrl: z
      .string()
      .min(1)
      .refine(
        (url) => url.includes('${{') || /^https?:\/\/./i.test(url),
        'must be a URL that starts with http:// or https://',
      )
      .describe('Base URL, to which /chat/completions is appended.'),
    model: z.string().min(1).describe('Model name as the endpoint uses it.'),
    apiKeyEnv: z.string().min(1).optional().describe('Environment variable with the API key.'),
  }),
);

export type OpenaiCompatibleConfig = z.infer<typeof config>;

/** Any endpoint that speaks chat completions. */
export const openaiCompatible: TargetPlugin<OpenaiCompatibleConfig> = {
  type: 'openai-compatible',
  version: 1,
  summary: 'any chat completions endpoint',
  config,
  stored: {
    all: [...Object.keys(modelKeys), 'baseUrl', 'model', 'apiKeyEnv'],
    urls: ['baseUrl'],
    variables: ['apiKeyEnv'],
  },
  texts: ['system'],
  prompt: 'system',
  takesImages: ({ images }) => images,
  tellsToolCalls: () => true,
  reachesTools: () => 'in-process',
  asModel: (keys, settings) => judgeSettings(choiceOf(keys), keys, settings),
  create: (settings, services) => ({
    open: async (world) =>
      openModelSession({ config: settings, services, choice: choiceOf(settings) }, world),
  }),
};

function choiceOf({ baseUrl, model, apiKeyEnv }: OpenaiCompatibleConfig) {
  return {
    model: `openai-compatible/${model}`,
    baseUrl,
    ...given({ apiKeyEnv }),
  };
}
