import { closeSync, existsSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs';
import { namesIn } from '../files/names-in.ts';

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

/** In ticks of the system's clock (see `ticksNow`); Infinity when it is gone. */
export function startOf(pid: number): number {
  return Number(statusOf(pid)[19] ?? Infinity);
}

/** A hundred in a second, since the system was started. */
export function ticksNow(): number {
  return Math.floor(Number.parseFloat(read('/proc/uptime')?.toString('latin1') ?? '0') * 100);
}

/** Whether somebody can type into it. */
export function hasTerminal(pid: number): boolean {
  return Number(statusOf(pid)[4] ?? 0) !== 0;
}

/** Whose process it is; undefined when it is gone. */
export function ownerOf(pid: number): number | undefined {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
}

/** The working directory, the program, the open and the mapped files of a process, as far as they are ours to read. */
export function* pathsOf(pid: number): Generator<string> {
  yield* linkAt(`/proc/${pid}/cwd`);
  yield* linkAt(`/proc/${pid}/exe`);
  for (const name of namesIn(`/proc/${pid}/fd`)) yield* linkAt(`/proc/${pid}/fd/${name}`);
  for (const line of (read(`/proc/${pid}/maps`)?.toString() ?? '').split('\n')) {
    const start = line.indexOf('/');
    if (start >= 0) yield line.slice(start);
  }
}

/** The path of the program that a process runs; undefined when it is gone or not ours to read. */
export function executableOf(pid: number): string | undefined {
  return linkAt(`/proc/${pid}/exe`)[0];
}

function linkAt(path: string): readonly string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}

/** State, parent, group and more; nothing when it is gone. */
function statusOf(pid: number): readonly string[] {
  const stat = read(`/proc/${pid}/stat`)?.toString('latin1');
  return stat === undefined ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Most of the ids that are tried are free, and to ask costs a fraction of an error. */
function read(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
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
