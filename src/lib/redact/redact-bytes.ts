import type { StreamRedactor } from './redact-stream.ts';

/** Redacts bytes that arrive in pieces. */
export interface BytesRedactor {
  push(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

/** Wraps a stream whose rules use one character per byte. */
export function redactBytes(stream: StreamRedactor): BytesRedactor {
  return {
    push: (bytes) => Buffer.from(stream.push(Buffer.from(bytes).toString('latin1')), 'latin1'),
    end: () => Buffer.from(stream.end(), 'latin1'),
  };
}

/** The UTF-8 of a text, one character per byte. */
export function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

type Spelling = (text: string) => string;

/** The UTF-16 of a text in both byte orders, one character per byte. */
export const asUtf16: readonly [Spelling, Spelling] = [
  (text) => Buffer.from(text, 'utf16le').toString('latin1'),
  (text) => Buffer.from(text, 'utf16le').swap16().toString('latin1'),
];

/** The characters at even and at odd positions. */
export function everyOther(text: string): readonly [string, string] {
  const bytes = Buffer.from(text, 'latin1');
  const half = Math.ceil(bytes.length / 2);
  const [even, odd] = [Buffer.alloc(half), Buffer.alloc(half)];
  for (let i = 0; i < bytes.length; i += 2) {
    even[i >> 1] = bytes[i] ?? 0;
    odd[i >> 1] = bytes[i + 1] ?? 0;
  }
  return [even.toString('latin1'), odd.toString('latin1')];
}
