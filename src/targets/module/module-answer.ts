import type { Yielded } from '../../core/target.ts';
import { usageOf } from '../../core/usage.ts';
import { given } from '../../lib/given.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { AMOUNT, isGiven, LIST, OBJECT, optional, required, TEXT, wrongAt } from '../answer-shape.ts';
import { answerEntries } from '../cli/answer.ts';

/** The answer of a module: its entries, and its messages for the next turn. */
export interface ModuleAnswer {
  readonly entries: readonly Yielded[];
  readonly messages: readonly JsonObject[];
}

/** Parses an answer, `string | { text?, output?, usage? }`. `calls`: number of calls in the session so far. */
export function readAnswer(answer: unknown, calls: number): ModuleAnswer {
  if (typeof answer === 'string') return textAnswer(answer);
  if (!isObject(answer)) throw wrongAt('the top', 'expected a text, or an object with text or output');
  const unknown = Object.keys(answer).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw wrongAt(unknown, `unknown key; known: ${KEYS.join(', ')}`);
  const text = optional(answer['text'], 'text', TEXT);
  const output = optional(answer['output'], 'output', LIST);
  const usage = usageEntry(answer['usage']);
  const spoken = output === undefined ? textAnswer(text ?? '') : outputAnswer(text, output, calls);
  return usage === undefined ? spoken : { ...spoken, entries: [...spoken.entries, usage] };
}

const KEYS = ['text', 'output', 'usage'];

function textAnswer(text: string): ModuleAnswer {
  return {
    entries: [{ type: 'message', role: 'assistant', parts: [{ text }] }],
    messages: [{ role: 'assistant', content: text }],
  };
}

function outputAnswer(text: string | undefined, output: readonly unknown[], calls: number): ModuleAnswer {
  const { entries } = answerEntries(JSON.stringify({ text, output }), calls);
  const said = output.filter(isObject) as readonly JsonObject[];
  const isRepeated = text === undefined || said.at(-1)?.['content'] === text;
  return { entries, messages: isRepeated ? said : [...said, { role: 'assistant', content: text }] };
}

const TOKENS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'];

function usageEntry(supplied: unknown): Yielded | undefined {
  const usage = optional(supplied, 'usage', OBJECT);
  if (usage === undefined) return undefined;
  const amount = (key: string): number => required(usage[key], `usage.${key}`, AMOUNT);
  const part = (key: string) => (isGiven(usage[key]) ? { [key]: amount(key) } : {});
  const model = optional(usage['model'], 'usage.model', TEXT);
  const isCostAlone = isGiven(usage['costUsd']) && !TOKENS.some((key) => isGiven(usage[key]));
  const shared = { ...given({ model }), ...part('costUsd') };
  if (isCostAlone) return { type: 'usage', ...shared };
  return {
    type: 'usage',
    ...usageOf(amount('inputTokens'), amount('outputTokens'), {
      ...part('cacheReadTokens'),
      ...part('cacheWriteTokens'),
      ...part('reasoningTokens'),
    }),
    ...shared,
  };
}
