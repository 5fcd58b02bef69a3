import { givenShown } from './given.ts';

/** A text that must be contained, or a pattern. */
export type Matcher = string | RegExp;

/** Whether a text contains a text or matches a pattern. */
export function contains(matcher: Matcher, text: string): boolean {
  return typeof matcher === 'string' ? text.includes(matcher) : tested(matcher, text);
}

/** Whether a text equals a text or matches a pattern anywhere. */
export function equals(matcher: Matcher, text: string): boolean {
  return typeof matcher === 'string' ? text === matcher : tested(matcher, text);
}

export function isMatcher(value: unknown): value is Matcher {
  return typeof value === 'string' || value instanceof RegExp;
}

/** Throws a TypeError unless the value is a text or a pattern. */
export function checkMatcher(value: unknown): void {
  if (!isMatcher(value)) throw new TypeError(`expected a text or a RegExp, got ${givenShown(value)}`);
}

export function matcherShown(matcher: Matcher): string {
  return typeof matcher === 'string' ? JSON.stringify(matcher) : String(matcher);
}

/** Throws a TypeError for an invalid count. */
export function checkCount(value: unknown): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return;
  throw new TypeError(`expected a whole number of at least 0, got ${givenShown(value)}`);
}

export function checkList(value: unknown): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`expected a list, got ${givenShown(value)}`);
}

/** Patterns with a state (`g`, `y`) start from the beginning. */
function tested(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  const holds = pattern.test(text);
  pattern.lastIndex = 0;
  return holds;
}
