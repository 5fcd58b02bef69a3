import { readFile } from 'node:fs/promises';

import type { ProgramEnd, ProgramOutput } from '../core/sandbox.ts';

/**
 * The end of a program's output that its engine did not pass on. podman 4 loses it when a program ends without having
 * read its stdin; its log has all of it. `log`: a file of the format `k8s-file`; without it, nothing is known. A line of
 * the log is `TIME STREAM F|P TEXT`; after P its line goes on.
 */
export async function unreadOutput(log: string, read: ProgramEnd['read']): Promise<ProgramOutput> {
  const text = await readFile(log).catch(() => Buffer.alloc(0));
  const rest = { stdout: after(read.stdout), stderr: after(read.stderr) };
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const line = text.subarray(start, end === -1 ? text.length : end);
    const afterTime = line.indexOf(' ') + 1;
    const head = line.toString('latin1', afterTime, afterTime + HEAD_LENGTH);
    const [, stream, kind] = /^(stdout|stderr) ([FP]) $/.exec(head) ?? [];
    if (stream === 'stdout' || stream === 'stderr') {
      rest[stream].add(line.subarray(afterTime + HEAD_LENGTH));
      if (kind === 'F') rest[stream].add(NEWLINE);
    }
    start += line.length + 1;
  }
  return { stdout: rest.stdout.bytes(), stderr: rest.stderr.bytes() };
}

const HEAD_LENGTH = 'stdout F '.length;
const NEWLINE = Buffer.from('\n');

/** Collects the bytes of a stream after the first ones. */
function after(count: number) {
  const parts: Buffer[] = [];
  let left = count;
  return {
    add(part: Buffer): void {
      if (part.length > left) parts.push(part.subarray(left));
      left = Math.max(0, left - part.length);
    },
    bytes: () => Buffer.concat(parts),
  };
}
