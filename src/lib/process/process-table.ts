import { closeSync, existsSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';

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

/** Whether a process is on its way from one program into another: until it is there its environment reads as empty. */
export function isChangingProgram(pid: number): boolean {
  return read(`/proc/${pid}/cmdline`)?.length === 0 && executableOf(pid) !== undefined;
}

/** The process group of a living process; undefined when it is dead, even if nobody has collected it. */
export function livingGroupOf(pid: number): number | undefined {
  const [state, , group] = statusOf(pid);
  return state === undefined || state === 'Z' || state === 'X' ? undefined : Number(group);
}

/** 0 when there is none, or none that we may see. */
export function parentOf(pid: number): number {
  return Number(statusOf(pid)[1] ?? 0);
}

/** The path of the program that a process runs; undefined when it is gone or not ours to read. */
export function executableOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined;
  }
}

/** State, parent, group and more; nothing when it is gone. */
function statusOf(pid: number): readonly string[] {
  const stat = read(`/proc/${pid}/stat`)?.toString('latin1');
  return stat === undefined ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
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
