import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What a program reads: a text, bytes, or parts that come while it runs. */
export type ProcessInput = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** Writes and closes; a reader that goes away early (EPIPE) is no error. */
export function feedStdin(
  stdin: Writable,
  input: ProcessInput,
  onInputError: (error: unknown) => void,
): void {
  stdin.on('error', () => {});
  if (typeof input === 'string' || input instanceof Uint8Array) {
    stdin.end(input);
    return;
  }
  pipeline(reportingErrors(input, onInputError), stdin).catch(() => {});
}

async function* reportingErrors(
  input: AsyncIterable<string | Uint8Array>,
  onInputError: (error: unknown) => void,
): AsyncGenerator<string | Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    onInputError(error);
  }
}
