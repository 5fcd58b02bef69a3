import type { TargetPlugin } from '../../core/plugin.ts';
import { judgeSettings, modelConfig, modelKeys, type ModelConfig } from './config.ts';
import { openModelSession } from './session.ts';

/** A model of a provider, run by assay with a system prompt and tools, step by step. */
export const modelTarget: TargetPlugin<ModelConfig> = {
  type: 'model',
  version: 1,
  summary: 'a model of a provider; mocks answer its tool calls',
  config: modelConfig,
  stored: { all: [...Object.keys(modelKeys), 'model'] },
  texts: ['system'],
  prompt: 'system',
  takesImages: ({ images }) => images,
  tellsToolCalls: () => true,
  reachesTools: () => 'in-process',
  capture: ({ system = '' }) => ({ prompt: system }),
  asModel: (config, settings) => judgeSettings({ model: config.model }, config, settings),
  create: (config, services) => ({
    open: async (world) => openModelSession({ config, services, choice: { model: config.model } }, world),
  }),
};
