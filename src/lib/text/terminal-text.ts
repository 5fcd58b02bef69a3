/**
 * An escape sequence with its payload: CSI, the string commands (OSC, DCS, SOS, PM, APC), and the short ones. A payload
 * ends where another sequence begins, because otherwise each would be read to the end of the text.
 */
const SEQUENCE =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]+[0-~]|\u001b[0-Z\\^-~]/g;

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Characters that reorder or hide the text around them. */
export const DECEPTIVE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Makes foreign text safe: it cannot move a cursor, set a title, ring a bell or reorder neighbouring text. */
export function stripControls(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(SEQUENCE, '').replace(CONTROL, '').replace(DECEPTIVE, '');
}

/** The same on one line: no line break of it can imitate a line of assay. */
export function stripLine(text: string): string {
  return stripControls(text).replace(/[\t\n]/g, ' ');
}

/** Foreign text as one line of at most `columns`, with white space collapsed. */
export function oneLine(text: string, columns: number): string {
  return cutToColumns(
    stripControls(text.slice(0, 16 * columns + 256))
      .replace(/\s+/g, ' ')
      .trim(),
    columns,
  );
}

/** Columns that a text without control characters takes in a terminal. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

/** The start of a line that fits into this many columns, with `…` when it was cut. */
export function cutToColumns(text: string, columns: number): string {
  let used = 0;
  let end = 0;
  let room = 0;
  for (const character of text) {
    used += columnsOfCharacter(character);
    if (used > columns) return `${text.slice(0, room)}…`;
    end += character.length;
    if (used < columns) room = end;
  }
  return text;
}

/** Text padded with blanks to this many columns. */
export function padToColumns(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]$|^\p{Emoji_Presentation}$/u;

function columnsOfCharacter(character: string): number {
  if (character <= '~') return 1;
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
