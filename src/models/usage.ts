import type { LanguageModelV4Usage } from '@ai-sdk/provider';

import { isCount, usageOf, type Usage } from '../core/usage.ts';
import { isObject } from '../lib/json.ts';

/** Tokens in our format; undefined when the provider did not report both input and output. */
export function normalUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | undefined {
  const input = counted(inputTokens.total);
  const output = counted(outputTokens.total);
  if (input === undefined || output === undefined) return undefined;
  const parts = {
    cacheReadTokens: counted(inputTokens.cacheRead),
    cacheWriteTokens: counted(inputTokens.cacheWrite),
    reasoningTokens: counted(outputTokens.reasoning),
  };
  return usageOf(input, output, known(parts));
}

/** Cost of the request in USD, as reported by the endpoint. */
export function statedCost({ raw }: LanguageModelV4Usage): number | undefined {
  return isObject(raw) ? counted(raw['cost']) : undefined;
}

function counted(value: unknown): number | undefined {
  return isCount(value) ? value : undefined;
}

function known<T extends object>(parts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(parts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
