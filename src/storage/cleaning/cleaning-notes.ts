import { CLEAN_LIMITS } from './clean-limits.ts';
import type { Unsearched } from './clean-tree.ts';

const SHOWN = 20;

/** A note with the affected paths. Empty without paths. */
export function namedPaths(paths: readonly string[], what: string): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  return [`${what}: ${paths.slice(0, SHOWN).map(shortened).join(', ')}${more}`];
}

/** The same for each exceeded limit. */
export function unsearchedNotes({ tooLarge, tooDeep, tooLate }: Unsearched, what: string): readonly string[] {
  const { fileBytes, totalBytes, folders, timeMs } = CLEAN_LIMITS;
  const sizes = `${fileBytes / 2 ** 20} MB a file and ${totalBytes / 2 ** 30} GB in all`;
  return [
    ...namedPaths(tooLarge, `${what}, because only ${sizes} are searched for secrets`),
    ...namedPaths(tooDeep, `${what}, because only ${folders} levels of folders are searched for secrets`),
    ...namedPaths(tooLate, `${what}, because searching for secrets takes at most ${timeMs / 1000} seconds`),
  ];
}

const LONGEST_PATH = 200;

function shortened(path: string): string {
  return path.length <= LONGEST_PATH ? path : `${path.slice(0, LONGEST_PATH)}…`;
}
