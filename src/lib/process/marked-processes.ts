import { promisify } from 'node:util';
import { type Ancestor, descendantIds, idsInUse, idsToTry } from './descendant-ids.ts';
import { environOf, hasProcessTable } from './process-table.ts';

/** The descendants of one process, told by a variable that only their environment has. */
export interface MarkedBy extends Ancestor {
  /** `NAME=value`. */
  readonly text: string;
}

/** The ids of the living processes that carry each marker, by its text, in one look at the process table. */
export type FoundByMarker = ReadonlyMap<string, readonly number[]>;

export async function findMarked(markers: readonly MarkedBy[]): Promise<FoundByMarker> {
  if (hasProcessTable) return readProcessTable(markers);
  const { execFile } = process.getBuiltinModule('node:child_process');
  const { stdout } = await promisify(execFile)('ps', PS_ARGUMENTS, PS_OPTIONS).catch(() => NO_TEXT);
  return readPsListing(stdout, markers);
}

export function findMarkedSync(markers: readonly MarkedBy[]): FoundByMarker {
  if (hasProcessTable) return readProcessTable(markers);
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  return readPsListing(spawnSync('ps', PS_ARGUMENTS, PS_OPTIONS).stdout ?? '', markers);
}

function readProcessTable(markers: readonly MarkedBy[]): FoundByMarker {
  const range = descendantIds(markers);
  const ids = idsToTry(range);
  const found = ids && readEnvironments(ids, markers);
  // A thread answers to its id like a process, so what was found by trying is looked up in the list.
  if (found && [...found.values()].every((pids) => pids.length === 0)) return found;
  return readEnvironments(idsInUse(range), markers);
}

function readEnvironments(ids: readonly number[], markers: readonly MarkedBy[]): FoundByMarker {
  const found = emptyListings(markers);
  for (const pid of ids) {
    const environ = pid === process.pid ? undefined : environOf(pid);
    if (!environ || environ.length === 0) continue;
    for (const [text, pids] of found) {
      if (hasEntry(environ, text)) pids.push(pid);
    }
  }
  return found;
}

function hasEntry(environ: Buffer, text: string): boolean {
  const size = Buffer.byteLength(text);
  for (let at = environ.indexOf(text); at >= 0; at = environ.indexOf(text, at + 1)) {
    const startsEntry = at === 0 || environ[at - 1] === 0;
    const endsEntry = at + size === environ.length || environ[at + size] === 0;
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
    for (const [text, pids] of found) {
      if (`${line} `.includes(` ${text} `)) pids.push(pid);
    }
  }
  return found;
}

function emptyListings(markers: readonly MarkedBy[]): Map<string, number[]> {
  return new Map(markers.map(({ text }) => [text, []]));
}

const PS_ARGUMENTS = ['-Eww', '-ax', '-o', 'pid=,command='];
const PS_OPTIONS = { encoding: 'utf8', maxBuffer: 256 * 2 ** 20 } as const;
const NO_TEXT = { stdout: '' };
