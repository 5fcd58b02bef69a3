import { sha256 } from '../../lib/digest.ts';
import type { JsonValue } from '../../lib/json.ts';

/** One line of material: a label of ours and a value of theirs. */
export interface MaterialLine {
  readonly label: string;
  readonly value: JsonValue;
}

/**
 * The mark of a fence is a digest of what is fenced: whoever wrote the material could not know it, and the same
 * material makes the same request, so that recorded answers are found again. Should a text hold it all the same, it is
 * spelled differently there.
 */
export function nonceOf(lines: readonly MaterialLine[]): string {
  return sha256(`material of a judge\n${JSON.stringify(lines)}`).slice(0, 32);
}

/** Material between two lines that carry a mark which nothing between them can hold. */
export function fence(lines: readonly MaterialLine[], nonce: string): string {
  const body = lines.map((line) => lineText(line, nonce));
  return [`===== material ${nonce} begins =====`, ...body, `===== material ${nonce} ends =====`].join('\n');
}

/** `label: <JSON>` on one line, whatever the value holds; characters that nobody sees are spelled out. */
export function lineText({ label, value }: MaterialLine, nonce: string): string {
  const json = JSON.stringify(value).replace(UNSEEN, escaped);
  return `${label}: ${json.replaceAll(nonce, `${escaped(nonce[0] ?? '')}${nonce.slice(1)}`)}`;
}

/** Controls, formats (zero width, direction, tags), private use, lone surrogates, and breaks of lines and paragraphs. */
const UNSEEN = /\p{C}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|[\u115f\u1160\u3164\uffa0]/gu;

function escaped(character: string): string {
  let text = '';
  for (let i = 0; i < character.length; i++) {
    text += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }
  return text;
}
