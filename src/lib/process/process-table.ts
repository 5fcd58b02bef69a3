import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';

/** Whether the system shows its processes under /proc, as Linux does; without it the rest of this file finds nothing. */
export const hasProcessTable = existsSync('/proc/self/environ');

/** The ids of all visible processes. */
export function processIds(): number[] {
  if (!hasProcessTable) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

/** The environment a process began with, entries ended by NUL, valid until the next call; undefined when it is gone or not ours to read. */
export function environOf(pid: number): Buffer | undefined {
  return read(`/proc/${pid}/environ`);
}

/** The process group of a living process; undefined when it is dead, even if nobody has collected it. */
export function livingGroupOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`)?.toString('latin1');
  if (stat === undefined) return undefined;
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : Number(group);
}

function read(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    return readAll(file);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

let buffer = Buffer.allocUnsafe(64 * 1024);

/** The kernel fills the whole buffer if it can, so a short read is the end. */
function readAll(file: number): Buffer {
  const bytes = readSync(file, buffer, 0, buffer.length, 0);
  if (bytes < buffer.length) return buffer.subarray(0, bytes);
  buffer = Buffer.allocUnsafe(2 * buffer.length);
  return readAll(file);
}
