/** The error of an answer that is too large to be useful, and would fill the memory. */
export class InvalidResponseSize extends Error {
  override readonly name = 'InvalidResponseSize';
}

/** Without content encodings. A stream of 200,000 tokens has fewer bytes, even with its JSON around each token. */
const MOST_BYTES = 64 * 2 ** 20;

/** After parsing, each level takes fifty times its byte. */
const MOST_LEVELS = 10_000;

/** Checks the pieces of one answer as they arrive; returns an error when the rest must not be read. */
export function guardAnswer(): (piece: Uint8Array) => InvalidResponseSize | undefined {
  let bytes = 0;
  let levels = 0;
  let isInString = false;
  let isEscaped = false;
  let before = 0;
  return (piece) => {
    bytes += piece.length;
    if (bytes > MOST_BYTES) return new InvalidResponseSize(`it has more than ${MOST_BYTES} bytes`);
    for (const byte of piece) {
      if (byte === NEWLINE) {
        // A JSON string never contains a line break, and an event of a stream never contains a blank line.
        isInString = false;
        if (before === NEWLINE) levels = 0;
      } else if (isEscaped) isEscaped = false;
      else if (isInString && byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) isInString = !isInString;
      else if (isInString) continue;
      else if (byte === LIST || byte === OBJECT) {
        levels += 1;
        if (levels > MOST_LEVELS) {
          return new InvalidResponseSize(`its JSON is nested more than ${MOST_LEVELS} levels deep`);
        }
      } else if (byte === LIST + 2 || byte === OBJECT + 2) levels = Math.max(0, levels - 1);
      if (byte !== RETURN) before = byte;
    }
    return undefined;
  };
}

const [NEWLINE, RETURN, QUOTE, BACKSLASH, LIST, OBJECT] = [0x0a, 0x0d, 0x22, 0x5c, 0x5b, 0x7b];
