import type { JsonObject } from '../lib/json.ts';
import type { Message, Part } from './message.ts';

/** Texts that a case puts around its question, from its variables `__prefix` and `__suffix`. */
export interface EnclosingTexts {
  readonly prefix: string;
  readonly suffix: string;
}

export const ENCLOSING_NAMES = ['__prefix', '__suffix'] as const;

export function enclosingTexts(vars: JsonObject = {}): EnclosingTexts {
  const textOf = (name: (typeof ENCLOSING_NAMES)[number]): string =>
    typeof vars[name] === 'string' ? vars[name] : '';
  return { prefix: textOf('__prefix'), suffix: textOf('__suffix') };
}

/** The messages, with these texts around the last one if it is the user's. */
export function enclosedInput(messages: readonly Message[], texts: EnclosingTexts): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return messages;
  return [...messages.slice(0, -1), { ...last, parts: enclosedParts(last.parts, texts) }];
}

/** The parts of one message with these texts around them. */
export function enclosedParts(parts: readonly Part[], { prefix, suffix }: EnclosingTexts): readonly Part[] {
  const [only, ...others] = parts;
  return only !== undefined && 'text' in only && others.length === 0
    ? [{ text: `${prefix}${only.text}${suffix}` }]
    : [...textPart(prefix), ...parts, ...textPart(suffix)];
}

function textPart(text: string): readonly { readonly text: string }[] {
  return text === '' ? [] : [{ text }];
}
