import { levelsIn, MOST_LEVELS } from '../lib/text/json-depth.ts';

export function quoted(text: string, limit = 120): string {
  return JSON.stringify(cut(text, limit));
}

export function quotedEnd(text: string, limit = 120): string {
  return JSON.stringify(text.length <= limit ? text : `...${text.slice(text.length - limit)}`);
}

/** A JSON value on one line, shortened. */
export function shown(value: unknown, limit = 120): string {
  const levels = levelsIn(value);
  if (levels > MOST_LEVELS) return `a value that is nested ${levels} levels deep`;
  return value === undefined ? 'nothing' : cut(JSON.stringify(value), limit);
}

/** Describes an answer in the reason of a grade. */
export function answerShown(answer: string): string {
  return answer === '' ? 'the answer is empty' : `the answer is ${quoted(answer, 160)}`;
}

/** `a | b (+3 more)`, or `(none)`. */
export function observed(values: readonly string[], most = 8): string {
  if (values.length === 0) return '(none)';
  const shownValues = values.slice(0, most).map((value) => cut(value, 100));
  const rest = values.length - shownValues.length;
  return shownValues.join(' | ') + (rest > 0 ? ` (+${rest} more)` : '');
}

/** The first characters, without splitting surrogate pairs. */
export function firstCharacters(text: string, count: number): string {
  return text.length <= count
    ? text
    : Array.from(text.slice(0, count * 2))
        .slice(0, count)
        .join('');
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${firstCharacters(text, limit)}...`;
}
