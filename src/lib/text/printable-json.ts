import { DECEPTIVE } from './terminal-text.ts';

/** All escaped characters are from here on. */
const NOT_ASCII = /[\u007f-\uffff]/;
const OBEYED = /[\u007f-\u009f\u2028\u2029]/g;

/** The JSON of a value that is safe for terminals: characters that move a cursor or reorder a line become `\\uXXXX`. */
export function printableJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, undefined, indent);
  return NOT_ASCII.test(json) ? json.replace(OBEYED, escaped).replace(DECEPTIVE, escaped) : json;
}

/** The same as a line of output. */
export function printableLine(value: unknown, indent?: number): string {
  return `${printableJson(value, indent)}\n`;
}

function escaped(characters: string): string {
  return Array.from({ length: characters.length }, (_, i) => unit(characters.charCodeAt(i))).join('');
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
