/**
 * How a value appears inside base64 of a longer text: after 0, 1 and 2 further bytes, in both alphabets. Characters
 * that depend on neighbours are left out; at the very end, and in lines of 76 characters, it is found too.
 */
export function inBase64(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const alone = bytes.toString('base64');
  const inside = [0, 1, 2].map((count) => behind(count, bytes));
  const found = [alone, alone.replace(/=+$/, ''), ...inside, ...inLines(inside[0] ?? '')];
  return found.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}

function behind(count: number, bytes: Uint8Array): string {
  const before = Buffer.alloc(count);
  const whole = Buffer.concat([before, bytes]).toString('base64');
  return whole.slice(Math.ceil((count * 8) / 6), Math.floor(((count + bytes.length) * 8) / 6));
}

/** The line length of mail and of the command `base64`. */
const LINE_LENGTH = 76;
const LINE = new RegExp(`.{1,${LINE_LENGTH}}`, 'g');

/** A shorter rest of a line may occur in ordinary text. */
const MIN_LENGTH = 10;

function inLines(text: string): readonly string[] {
  if (text.length <= LINE_LENGTH) return [];
  return [...text.matchAll(LINE)].map(([line]) => line).filter(({ length }) => length >= MIN_LENGTH);
}
