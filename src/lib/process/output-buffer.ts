/** Bytes in order of arrival, of which only the last ones are kept. */
export interface OutputBuffer {
  /** The chunk is kept, not copied. */
  readonly append: (chunk: Uint8Array) => void;
  /** The kept bytes as one piece. */
  readonly read: () => Uint8Array;
}

/** Keeps less than twice `keepBytes`, even with small chunks. */
export function outputBuffer(keepBytes: number): OutputBuffer {
  let blocks: Uint8Array[] = [];
  let loose: Uint8Array[] = [];
  let heldBytes = 0;

  const append = (chunk: Uint8Array): void => {
    if (keepBytes === 0) return;
    loose.push(chunk);
    heldBytes += chunk.length;
    if (loose.length === LOOSE_CHUNKS) {
      blocks.push(Buffer.concat(loose));
      loose = [];
    }
    if (heldBytes >= 2 * keepBytes) replaceBy(read());
  };

  const read = (): Uint8Array => {
    const [first = EMPTY, ...others] = [...blocks, ...loose];
    const all = others.length === 0 ? first : Buffer.concat([first, ...others]);
    return all.length > keepBytes ? new Uint8Array(all.subarray(all.length - keepBytes)) : all;
  };

  const replaceBy = (tail: Uint8Array): void => {
    blocks = [tail];
    loose = [];
    heldBytes = tail.length;
  };

  return { append, read };
}

/** Many one-byte chunks would otherwise need a hundred times their size. */
const LOOSE_CHUNKS = 256;

const EMPTY = new Uint8Array();
