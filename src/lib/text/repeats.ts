import { isObject } from '../json.ts';
import type { JsonPiece } from './json-objects.ts';

/**
 * Tells what a model only repeats: a piece that stands in what it was shown, and one whose members under `reasonKeys`
 * all stand there so, whatever order, escapes, quotes and white space it repeats them with. What it closes in the place
 * of what it was shown is repeated too.
 */
export function repeats(
  shown: readonly string[],
  reasonKeys: ReadonlySet<string> = new Set(),
): (piece: JsonPiece) => boolean {
  const whole = shown.map(spelledAlike).join('\n');
  return ({ text, value }) => {
    if (whole.includes(withoutEnd(spelledAlike(text)))) return true;
    const reasons = reasonsIn(value, reasonKeys);
    return reasons.length > 0 && reasons.every((reason) => whole.includes(spelledAlike(reason)));
  };
}

/** Members that say why, as JSON; what they say is the model's own or it is nobody's answer. */
function reasonsIn(value: unknown, keys: ReadonlySet<string>): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => reasonsIn(item, keys));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (typeof member !== 'string' || !keys.has(key)) return reasonsIn(member, keys);
    return member.trim() === '' ? [] : [`${JSON.stringify(key)}:${JSON.stringify(member)}`];
  });
}

/** Without the quotes and brackets that close it. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '"]}'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Texts that differ in escapes (however often escaped), kinds of quotes, white space and unseen characters are one. */
function spelledAlike(text: string): string {
  return text
    .replace(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/(?<!\\)\\+[nrtbf]/g, '')
    .replace(/[\s\\\p{C}\p{Variation_Selector}]+/gu, '')
    .replace(/['`\u2018\u2019\u201c\u201d]/g, '"');
}
