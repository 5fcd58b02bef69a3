import { promisify } from 'node:util';
import {
  type Ancestor,
  descendantIds,
  type IdRange,
  idsInUse,
  idsToTry,
  newestId,
} from './descendant-ids.ts';
import { environOf, hasProcessTable, isChangingProgram } from './process-table.ts';

/** The descendants of one process, recognised by a variable that only their environment has. */
export interface MarkedBy extends Ancestor {
  /** `NAME=value`. */
  readonly text: string;
  /** Whether more characters may follow the value. */
  readonly isBeginning?: boolean;
}

/** The ids of living processes with each marker, by its text. */
export type FoundByMarker = ReadonlyMap<string, readonly number[]>;

/** One look at the process table. */
export interface Look {
  readonly found: FoundByMarker;
  /** Whether a process was found during exec, when its environment cannot be read. */
  readonly isUnsure: boolean;
}

export async function findMarked(markers: readonly MarkedBy[]): Promise<Look> {
  if (hasProcessTable) return readProcessTable(markers);
  const { execFile } = process.getBuiltinModule('node:child_process');
  const { stdout } = await promisify(execFile)('ps', PS_ARGUMENTS, PS_OPTIONS).catch(() => NO_TEXT);
  return { found: readPsListing(stdout, markers), isUnsure: false };
}

export function findMarkedSync(markers: readonly MarkedBy[]): Look {
  if (hasProcessTable) return readProcessTable(markers);
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { stdout } = spawnSync('ps', PS_ARGUMENTS, PS_OPTIONS);
  return { found: readPsListing(stdout ?? '', markers), isUnsure: false };
}

/**
 * An empty result is certain only when no process was born meanwhile: a process that died during the look may have left
 * a child.
 */
function readProcessTable(markers: readonly MarkedBy[]): Look {
  let seenUpTo = newestId() ?? Infinity;
  let look = readRange(descendantIds(markers), markers);
  for (let round = 0; round < MOST_ROUNDS && isEmpty(look); round++) {
    const newest = newestId() ?? 0;
    if (newest <= seenUpTo) break;
    const { found, isUnsure } = readRange({ lowest: seenUpTo + 1, highest: newest }, markers);
    look = { found, isUnsure: look.isUnsure || isUnsure };
    seenUpTo = newest;
  }
  return look;
}

function readRange(range: IdRange, markers: readonly MarkedBy[]): Look {
  const ids = idsToTry(range);
  const look = ids && readEnvironments(ids, markers);
  // A thread has an id like a process, so ids that were found by trying are checked in the list.
  return look && isEmpty(look) ? look : readEnvironments(idsInUse(range), markers);
}

function isEmpty({ found }: Look): boolean {
  return [...found.values()].every((pids) => pids.length === 0);
}

function readEnvironments(ids: readonly number[], markers: readonly MarkedBy[]): Look {
  const found = emptyListings(markers);
  let isUnsure = false;
  for (const pid of ids) {
    if (pid === process.pid) continue;
    let environ = environOf(pid);
    if (environ?.length === 0) {
      if (isChangingProgram(pid)) isUnsure = true;
      environ = environOf(pid);
    }
    if (!environ || environ.length === 0) continue;
    for (const marker of markers) {
      if (hasEntry(environ, marker)) found.get(marker.text)?.push(pid);
    }
  }
  return { found, isUnsure };
}

function hasEntry(environ: Buffer, { text, isBeginning }: MarkedBy): boolean {
  const size = Buffer.byteLength(text);
  for (let at = environ.indexOf(text); at >= 0; at = environ.indexOf(text, at + 1)) {
    const startsEntry = at === 0 || environ[at - 1] === 0;
    const endsEntry = isBeginning === true || at + size === environ.length || environ[at + size] === 0;
    if (startsEntry && endsEntry) return true;
  }
  return false;
}

/** `ps` prints the environment after the command, separated by blanks. */
export function readPsListing(listing: string, markers: readonly MarkedBy[]): FoundByMarker {
  const found = emptyListings(markers);
  for (const line of listing.split('\n')) {
    const pid = Number.parseInt(line, 10);
    if (!(pid > 0) || pid === process.pid) continue;
    for (const { text, isBeginning } of markers) {
      const entry = isBeginning === true ? ` ${text}` : ` ${text} `;
      if (`${line} `.includes(entry)) found.get(text)?.push(pid);
    }
  }
  return found;
}

function emptyListings(markers: readonly MarkedBy[]): Map<string, number[]> {
  return new Map(markers.map(({ text }) => [text, []]));
}

/** Limit of births during one look; more happen only on a system that forks constantly. */
const MOST_ROUNDS = 100;

const PS_ARGUMENTS = ['-Eww', '-ax', '-o', 'pid=,command='];
const PS_OPTIONS = { encoding: 'utf8', maxBuffer: 256 * 2 ** 20 } as const;
const NO_TEXT = { stdout: '' };
