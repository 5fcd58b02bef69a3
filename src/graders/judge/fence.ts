import { sha256 } from '../../lib/digest.ts';
import type { JsonValue } from '../../lib/json.ts';

/** One line of material: a label of assay and a value from the trial. */
export interface MaterialLine {
  readonly label: string;
  readonly value: JsonValue;
}

/**
 * The mark of a fence is a digest of the fenced material. The author of the material cannot know it, and equal material
 * gives an equal request, so that recorded answers are found again. If a text contains the mark, it is escaped there.
 */
export function nonceOf(lines: readonly MaterialLine[]): string {
  return sha256(`material of a judge\n${JSON.stringify(lines)}`).slice(0, 32);
}

/** Puts material between two lines with a mark that no line between them can contain. */
export function fence(lines: readonly MaterialLine[], nonce: string): string {
  const body = lines.map((line) => lineText(line, nonce));
  return [`===== material ${nonce} begins =====`, ...body, `===== material ${nonce} ends =====`].join('\n');
}

/** `label: <JSON>` on one line; invisible characters are escaped. */
export function lineText({ label, value }: MaterialLine, nonce: string): string {
  const json = JSON.stringify(value).replace(UNSEEN, escaped);
  return `${label}: ${json.replaceAll(nonce, `${escaped(nonce[0] ?? '')}${nonce.slice(1)}`)}`;
}

/** Control and format characters (zero width, direction, tags), private use, lone surrogates, and line separators. */
const UNSEEN = /\p{C}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|[\u115f\u1160\u3164\uffa0]/gu;

function escaped(character: string): string {
  let text = '';
  for (let i = 0; i < character.length; i++) {
    text += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }
  return text;
}
