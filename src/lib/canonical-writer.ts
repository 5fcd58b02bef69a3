import { canonicalJson, isObject, quotedKey, sortedKeys } from './json.ts';
import { lastTexts } from './last-texts.ts';

/** Members of members that are remembered: keys of users may be of any number. */
const MOST_PLACES = 100;

/**
 * Writes objects as `canonicalJson` does. A member of a member that is the same object as last time, or as one of the last
 * few, is not written again.
 */
export function canonicalWriter(): (value: Readonly<Record<string, unknown>>) => string {
  const known = new Map<string, { readonly value: object; readonly text: string }>();
  const textOf = lastTexts(canonicalJson);
  const inner = (value: unknown, outer: string, key: string): string => {
    if (typeof value !== 'object' || value === null) return canonicalJson(value);
    const place = `${outer}\n${key}`;
    const before = known.get(place);
    if (before?.value === value) return before.text;
    const text = textOf(value);
    if (before !== undefined || known.size < MOST_PLACES) known.set(place, { value, text });
    return text;
  };
  return (whole) =>
    members(whole, (value, outer) =>
      isObject(value) ? members(value, (each, key) => inner(each, outer, key)) : canonicalJson(value),
    );
}

function members(
  object: Readonly<Record<string, unknown>>,
  textOf: (value: unknown, key: string) => string,
): string {
  let text = '{';
  for (const key of sortedKeys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    text += `${text === '{' ? '' : ','}${quotedKey(key)}:${textOf(value, key)}`;
  }
  return `${text}}`;
}
