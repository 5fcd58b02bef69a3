import type { JsonObject } from '../lib/json.ts';

/** The system prompt in the config of a target. */
export interface AgentPrompt {
  /** Absent: the config has none as a text. */
  readonly prompt?: string;
  /** The key that holds it; absent without a prompt. */
  readonly key?: 'prompt' | 'system';
  /** The other keys. */
  readonly rest: JsonObject;
}

/** Of both keys, `prompt` is what the agent gets. */
export function agentPrompt(config: JsonObject): AgentPrompt {
  for (const key of ['prompt', 'system'] as const) {
    const { [key]: prompt, ...rest } = config;
    if (typeof prompt === 'string') return { prompt, key, rest };
  }
  return { rest: config };
}
