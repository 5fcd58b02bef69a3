import { givenShown } from './given.ts';

/** A text that must be contained, or a pattern. */
export type Matcher = string | RegExp;

/** Whether a text contains what the matcher asks for. */
export function contains(matcher: Matcher, text: string): boolean {
  return typeof matcher === 'string' ? text.includes(matcher) : tested(matcher, text);
}

/** Whether a text is what the matcher asks for; a pattern may match anywhere. */
export function equals(matcher: Matcher, text: string): boolean {
  return typeof matcher === 'string' ? text === matcher : tested(matcher, text);
}

export function isMatcher(value: unknown): value is Matcher {
  return typeof value === 'string' || value instanceof RegExp;
}

/** Throws a TypeError for what is neither a text nor a pattern. */
export function checkMatcher(value: unknown): void {
  if (!isMatcher(value)) throw new TypeError(`expected a text or a RegExp, got ${givenShown(value)}`);
}

/** As it stands in a sentence. */
export function matcherShown(matcher: Matcher): string {
  return typeof matcher === 'string' ? JSON.stringify(matcher) : String(matcher);
}

/** Throws a TypeError for what is no number of things. */
export function checkCount(value: unknown): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return;
  throw new TypeError(`expected a whole number from 0 on, got ${givenShown(value)}`);
}

export function checkList(value: unknown): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`expected a list, got ${givenShown(value)}`);
}

/** A pattern with a state of its own begins anew. */
function tested(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  const holds = pattern.test(text);
  pattern.lastIndex = 0;
  return holds;
}
