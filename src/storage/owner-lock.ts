import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

import { isObject } from '../lib/json.ts';
import { guarded } from './guarded.ts';

/** A lock of a process. `release` removes its file. */
export interface Lock {
  release(): void;
}

/** The process that holds a lock. */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process from the kernel, so that a reused pid is recognised. */
  readonly started?: string;
}

const TAKEOVER_MS = 10_000;

const guardOf = (file: string): string => `${file}.takeover`;

/** Creates the error for a lock of another process. The owner is undefined if unknown. */
export type Refusal = (owner: Owner | undefined, file: string) => Error;

/** Acquires a lock for this process. Takes over the lock of a dead process. Throws if the owner is alive. */
export function acquireLock(file: string, refusal: Refusal): Lock {
  const mine = thisOwner();
  const inUse = () => refusal(writerOf(file), file);
  if (!claim(file, mine)) takeOver(file, mine, inUse);
  return { release: () => release(file, mine) };
}

/** This process as the owner of a file. */
export function thisOwner(): Owner {
  return { pid: process.pid, host: hostname(), ...startOf(process.pid) };
}

/** Whether a living process, or one on another host, holds the lock. */
export function isLocked(file: string): boolean {
  return isAlive(ownerOf(file));
}

/** Whether a living process of this machine holds the lock. */
export function isLockedHere(file: string): boolean {
  const owner = ownerOf(file);
  return owner?.host === hostname() && isAlive(owner);
}

/** Releases the lock, unless another process has taken it over. */
function release(file: string, mine: Owner): void {
  const owner = ownerOf(file);
  if (owner === undefined) return;
  if (owner.pid === mine.pid && owner.host === mine.host && owner.started === mine.started)
    rmSync(file, { force: true });
}

function takeOver(file: string, mine: Owner, inUse: () => Error): void {
  const guard = guardOf(file);
  if (!claim(guard, mine)) {
    if (Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? 0) < TAKEOVER_MS) throw inUse();
    rmSync(guard, { force: true });
    if (!claim(guard, mine)) throw inUse();
  }
  try {
    if (isAlive(ownerOf(file))) throw inUse();
    rmSync(file, { force: true });
    if (!claim(file, mine)) throw inUse();
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Creates the file atomically with its content, so that a lock always has an owner. */
function claim(file: string, owner: Owner): boolean {
  const draft = `${file}.${owner.pid}.tmp`;
  const text = JSON.stringify(owner);
  try {
    guarded(file, () => writeFileSync(draft, text, { mode: 0o600 }));
    return (
      isNew(() => linkSync(draft, file)) ?? isNew(() => writeFileSync(file, text, { flag: 'wx' })) ?? false
    );
  } finally {
    rmSync(draft, { force: true });
  }
}

/** False if the file exists. Undefined if the file system does not support the operation. */
function isNew(make: () => void): boolean | undefined {
  try {
    make();
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (NO_LINKS.has(code)) return undefined;
    throw error;
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

function ownerOf(file: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) && typeof value['pid'] === 'number' ? (value as unknown as Owner) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A process on another host counts as alive, because it cannot be checked. An unreadable lock has no owner.
 * A killed process whose parent has not noticed holds nothing.
 */
function isAlive(owner: Owner | undefined): boolean {
  if (owner === undefined) return false;
  if (owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const [state, started] = statOf(owner.pid);
  if (state === 'Z' || state === 'X') return false;
  return owner.started === undefined || owner.started === started;
}

function startOf(pid: number): { started?: string } {
  const [, started] = statOf(pid);
  return started === undefined ? {} : { started };
}

/** State and start time of a process from the kernel, where it tells them. */
function statOf(pid: number): readonly [state: string | undefined, started: string | undefined] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [state, rest[18]];
  } catch {
    return [undefined, undefined];
  }
}

/**
 * The current owner. Processes that are refused hold the guard for a moment too, so a living owner comes first. During
 * a take-over, the new owner holds the guard until its lock is written.
 */
function writerOf(file: string): Owner | undefined {
  const owner = ownerOf(file);
  if (isAlive(owner)) return owner;
  const taker = ownerOf(guardOf(file));
  return isAlive(taker) && taker?.pid !== process.pid ? taker : owner;
}
