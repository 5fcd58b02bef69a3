import type { JsonObject } from '../lib/json.ts';
import type { Message } from './message.ts';

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
export function enclosedInput(
  messages: readonly Message[],
  { prefix, suffix }: EnclosingTexts,
): readonly Message[] {
  const last = messages.at(-1);
  if (prefix + suffix === '' || last?.role !== 'user') return messages;
  const [only, ...others] = last.parts;
  const parts =
    only !== undefined && 'text' in only && others.length === 0
      ? [{ text: `${prefix}${only.text}${suffix}` }]
      : [...textPart(prefix), ...last.parts, ...textPart(suffix)];
  return [...messages.slice(0, -1), { ...last, parts }];
}

function textPart(text: string): readonly { readonly text: string }[] {
  return text === '' ? [] : [{ text }];
}
