import { readFileSync } from 'node:fs';
import { processIds } from './process-table.ts';

/** A process that this process has started. */
export interface Ancestor {
  readonly pid: number;
  /** On the clock of `performance.now()`. */
  readonly startedAtMs: number;
}

/** A range of process ids, both ends included. */
export interface IdRange {
  readonly lowest: number;
  readonly highest: number;
}

/** The range of all descendants' ids: ids grow until the highest possible id, and then restart. */
export function descendantIds(ancestors: readonly Ancestor[]): IdRange {
  const pids = ancestors.map(({ pid }) => pid);
  const births = mostBirths(ancestors);
  if (births > HIGHEST_ID / 2) return ALL_IDS;
  const newest = newestId() ?? Math.max(...pids) + births;
  const hasBegunAnew = newest > HIGHEST_ID || pids.some((pid) => pid > newest);
  return hasBegunAnew ? ALL_IDS : { lowest: Math.min(...pids), highest: newest };
}

/** Every id of a short range, used or not: trying a few is faster than listing all processes. */
export function idsToTry({ lowest, highest }: IdRange): readonly number[] | undefined {
  const count = highest - lowest + 1;
  return count > MOST_TRIES ? undefined : Array.from({ length: count }, (_, i) => lowest + i);
}

export function idsInUse({ lowest, highest }: IdRange): readonly number[] {
  return processIds().filter((pid) => pid >= lowest && pid <= highest);
}

function mostBirths(ancestors: readonly Ancestor[]): number {
  const firstStartMs = Math.min(...ancestors.map(({ startedAtMs }) => startedAtMs));
  return Math.ceil(((performance.now() - firstStartMs) / 1000) * BIRTHS_PER_SECOND);
}

/** The last assigned id; undefined when the system does not report it. */
export function newestId(): number | undefined {
  return readNumber('ns_last_pid') || undefined;
}

function readNumber(name: string): number {
  try {
    return Number(readFileSync(`/proc/sys/kernel/${name}`, 'latin1'));
  } catch {
    return 0;
  }
}

const ALL_IDS: IdRange = { lowest: 1, highest: Infinity };

const HIGHEST_ID = readNumber('pid_max');

/** Threads need ids too; no system starts more. */
const BIRTHS_PER_SECOND = 200_000;

const MOST_TRIES = 32;
