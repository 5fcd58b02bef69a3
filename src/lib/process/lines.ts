import { outputBuffer, type OutputBuffer } from './output-buffer.ts';

/** One line without its line end. */
export interface Line {
  readonly text: string;
  /** It was longer than the limit: this is its beginning, the rest is dropped. */
  readonly isCut: boolean;
}

/** Splits chunks of bytes into lines; a character or a line may span chunks. */
export interface LineSplitter {
  /** The lines that this chunk completes; a line that is too long is returned at once. */
  readonly push: (chunk: Uint8Array) => readonly Line[];
  /** The last line, if it has no line end. */
  readonly end: () => readonly Line[];
}

/** LF and CRLF end a line, a byte order mark is removed, invalid UTF-8 becomes U+FFFD. */
export function lineSplitter(maxLineBytes = 32 * 2 ** 20): LineSplitter {
  let held: OutputBuffer | undefined;
  let heldBytes = 0;
  let isFirst = true;
  let isSkipping = false;

  const decode = (bytes: Buffer, isCut: boolean): Line => {
    const hasMark = isFirst && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    const hasReturn = !isCut && bytes.at(-1) === RETURN;
    isFirst = false;
    return { text: bytes.toString('utf8', hasMark ? 3 : 0, bytes.length - (hasReturn ? 1 : 0)), isCut };
  };

  const hold = (part: Buffer): void => {
    if (part.length === 0) return;
    held ??= outputBuffer(Infinity);
    held.append(part);
    heldBytes += part.length;
  };

  const release = (last: Buffer): Buffer => {
    if (!held) return last;
    hold(last);
    const whole = asBuffer(held.read());
    held = undefined;
    heldBytes = 0;
    return whole;
  };

  /** Cuts a part that exceeds the limit. */
  const cut = (part: Buffer): Line | undefined => {
    if (isSkipping || heldBytes + part.length <= maxLineBytes) return undefined;
    isSkipping = true;
    return decode(release(part.subarray(0, maxLineBytes - heldBytes)), true);
  };

  const push = (chunk: Uint8Array): readonly Line[] => {
    const bytes = asBuffer(chunk);
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const part = bytes.subarray(start, end);
      const cutLine = cut(part);
      if (cutLine) lines.push(cutLine);
      if (!isSkipping) lines.push(decode(release(part), false));
      isSkipping = false;
      start = end + 1;
    }
    const rest = bytes.subarray(start);
    const cutLine = cut(rest);
    if (cutLine) lines.push(cutLine);
    if (!isSkipping) hold(rest);
    return lines;
  };

  const end = (): readonly Line[] => (held ? [decode(release(EMPTY), false)] : []);

  return { push, end };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const EMPTY = Buffer.alloc(0);
