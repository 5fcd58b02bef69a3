import { outputBuffer } from '../../lib/process/output-buffer.ts';

/** The ends of both streams. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program prints besides its answers, which are lines that begin with `word`. */
export function printedOutput(word: string) {
  let stdout = outputBuffer(KEPT_BYTES);
  let stderr = outputBuffer(KEPT_BYTES);
  const answers = new RegExp(`\\n?^${word}\\b.*\\n?`, 'gm');
  const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8').replaceAll(answers, '');
  return {
    stdout: (chunk: Uint8Array) => stdout.append(chunk),
    stderr: (chunk: Uint8Array) => stderr.append(chunk),
    read: (): Printed => ({ stdout: textOf(stdout.read()), stderr: textOf(stderr.read()) }),
    clear(): void {
      stdout = outputBuffer(KEPT_BYTES);
      stderr = outputBuffer(KEPT_BYTES);
    },
  };
}

const KEPT_BYTES = 32 * 2 ** 10;
