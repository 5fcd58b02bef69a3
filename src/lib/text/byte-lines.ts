/** The lines of UTF-8 bytes, without their breaks and without an empty last one. Throws `RangeError` for a longer one. */
export async function* byteLines(
  content: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array): void => {
    size += part.length;
    if (size > mostBytes) throw new RangeError(`a line has more than ${mostBytes} bytes`);
    parts.push(part);
  };
  const take = (): string => {
    const line = Buffer.concat(parts).toString('utf8');
    parts = [];
    size = 0;
    return line;
  };
  for await (const bytes of content) {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      add(bytes.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(bytes.subarray(start));
  }
  if (size > 0) yield take();
}

const NEWLINE = 10;
