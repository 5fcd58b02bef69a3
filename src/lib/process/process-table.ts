import { closeSync, existsSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs';
import { namesIn } from '../files/names-in.ts';

/** Whether the system shows processes under /proc, as Linux does; otherwise this file finds nothing. */
export const hasProcessTable = existsSync('/proc/self/environ');

/** The ids of all visible processes. */
export function processIds(): number[] {
  if (!hasProcessTable) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

/**
 * The initial environment of a process, entries separated by NUL, valid until the next call; undefined when it is
 * unreadable.
 */
export function environOf(pid: number): Buffer | undefined {
  return read(`/proc/${pid}/environ`);
}

/** Whether a process is in the middle of exec: until it is done its environment is empty. */
export function isChangingProgram(pid: number): boolean {
  return read(`/proc/${pid}/cmdline`)?.length === 0 && executableOf(pid) !== undefined;
}

/** The process group of a living process; undefined for a dead one, even a zombie. */
export function livingGroupOf(pid: number): number | undefined {
  const [state, , group] = statusOf(pid);
  return state === undefined || state === 'Z' || state === 'X' ? undefined : Number(group);
}

/** 0 when it has no visible parent. */
export function parentOf(pid: number): number {
  return Number(statusOf(pid)[1] ?? 0);
}

/** Start time in ticks of the system clock (see `ticksNow`); Infinity when it has ended. */
export function startOf(pid: number): number {
  return Number(statusOf(pid)[19] ?? Infinity);
}

/** Ticks since the system was started, a hundred per second. */
export function ticksNow(): number {
  return ticksOf(read('/proc/uptime')?.toString('latin1') ?? '0');
}

/** The ticks of a line such as `0.29 1.50`, which has two decimals. */
export function ticksOf(uptime: string): number {
  return Math.round(Number.parseFloat(uptime) * 100);
}

export function hasTerminal(pid: number): boolean {
  return Number(statusOf(pid)[4] ?? 0) !== 0;
}

/** The account of a process; undefined when it has ended. */
export function ownerOf(pid: number): number | undefined {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
}

/** The working directory, the program, and the open and mapped files of a process, as far as they are readable. */
export function* pathsOf(pid: number): Generator<string> {
  yield* linkAt(`/proc/${pid}/cwd`);
  yield* linkAt(`/proc/${pid}/exe`);
  for (const name of namesIn(`/proc/${pid}/fd`)) yield* linkAt(`/proc/${pid}/fd/${name}`);
  for (const line of (read(`/proc/${pid}/maps`)?.toString() ?? '').split('\n')) {
    const start = line.indexOf('/');
    if (start >= 0) yield line.slice(start);
  }
}

/** The path of the program of a process; undefined when it is unreadable. */
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

/** State, parent, group and more; empty when it has ended. */
function statusOf(pid: number): readonly string[] {
  const stat = read(`/proc/${pid}/stat`)?.toString('latin1');
  return stat === undefined ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Most ids that are tried are free, and this check costs a fraction of an error. */
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
