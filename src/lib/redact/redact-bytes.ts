import type { StreamRedactor } from './redact-stream.ts';

/** Redacts bytes that come in pieces. */
export interface BytesRedactor {
  push(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

/** Wraps a stream whose rules are written in characters that each stand for one byte. */
export function redactBytes(stream: StreamRedactor): BytesRedactor {
  return {
    push: (bytes) => Buffer.from(stream.push(Buffer.from(bytes).toString('latin1')), 'latin1'),
    end: () => Buffer.from(stream.end(), 'latin1'),
  };
}

/** The UTF-8 of a text, a character for each byte. */
export function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
