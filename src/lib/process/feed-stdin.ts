import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The input of a program: a text, bytes, or pieces that arrive while it runs. */
export type ProcessInput = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** Writes and closes; a program that stops reading (EPIPE) is not an error. */
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
