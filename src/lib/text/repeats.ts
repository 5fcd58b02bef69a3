import { fromLeaves } from '../json.ts';
import type { JsonPiece } from './json-objects.ts';

/**
 * Recognises what a model only repeats: a part of what it was shown, or a part whose members under `reasonKeys` were
 * all shown. Order, escapes, quotes and white space may differ. Text that closes an unclosed part of the shown text
 * counts as repeated too.
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

/** Members with reasons, as JSON; they are either the model's own or a repetition. */
function reasonsIn(value: unknown, keys: ReadonlySet<string>): readonly string[] {
  return fromLeaves(value, [], (text, path) => {
    const key = String(path.at(-1));
    if (typeof text !== 'string' || text.trim() === '' || !keys.has(key)) return [];
    return [`${JSON.stringify(key)}:${JSON.stringify(text)}`];
  });
}

/** Without the quotes and brackets that close it. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '"]}'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Normalises a text: escapes (of any depth), kinds of quotes, white space and invisible characters. */
function spelledAlike(text: string): string {
  return text
    .replace(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/(?<!\\)\\+[nrtbf]/g, '')
    .replace(/[\s\\\p{C}\p{Variation_Selector}]+/gu, '')
    .replace(/['`\u2018\u2019\u201c\u201d]/g, '"');
}
