import { readFile } from 'node:fs/promises';

import { MeasurementError } from '../core/errors.ts';
import type { ProgramEnd } from '../core/sandbox.ts';

/**
 * The error of a program whose output was not read whole. podman 4 loses what it has not yet passed on when a program
 * ends without having read its stdin; its log has all of it. `log`: a file of the format `k8s-file`; without it,
 * nothing is known.
 */
export async function lostOutput(
  log: string,
  read: ProgramEnd['read'],
): Promise<MeasurementError | undefined> {
  const text = await readFile(log).catch(() => undefined);
  if (text === undefined) return undefined;
  const written = writtenIn(text);
  if (written.stdout <= read.stdout && written.stderr <= read.stderr) return undefined;
  return new MeasurementError('the container engine lost output of the program', {
    stage: 'target',
    kind: 'sandbox',
    hint: 'run the trial again; podman can lose output if a program ends before it has read its input',
  });
}

/** How many bytes a program wrote to each stream. A line of the log is `TIME STREAM F|P TEXT`; after P its line goes on. */
function writtenIn(log: Buffer): { stdout: number; stderr: number } {
  const written = { stdout: 0, stderr: 0 };
  for (let start = 0; start < log.length;) {
    const end = log.indexOf('\n', start);
    const line = log.subarray(start, end === -1 ? log.length : end);
    const afterTime = line.indexOf(' ') + 1;
    const head = line.toString('latin1', afterTime, afterTime + HEAD_LENGTH);
    const [, stream, kind] = /^(stdout|stderr) ([FP]) $/.exec(head) ?? [];
    if (stream === 'stdout' || stream === 'stderr') {
      written[stream] += line.length - afterTime - HEAD_LENGTH + (kind === 'F' ? 1 : 0);
    }
    start += line.length + 1;
  }
  return written;
}

const HEAD_LENGTH = 'stdout F '.length;
