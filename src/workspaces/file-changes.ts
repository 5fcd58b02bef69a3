import type { FileChange } from '../core/file-change.ts';
import { shownPath } from '../lib/files/byte-path.ts';
import { inGit, type Difference } from './tree-delta.ts';

/** Assigns to each difference its part of a patch in the same order. */
export function fileChanges(differences: readonly Difference[], patch: Buffer): readonly FileChange[] {
  const sections = patchSections(patch);
  let next = 0;
  const changes = differences.map((difference) => {
    const parts = sections.slice(next, (next += sectionsOf(difference)));
    const path = shownPath(difference.path);
    const { change } = difference;
    const omitted = difference.after?.omitted ?? difference.before?.omitted;
    if (omitted !== undefined) return { path, change, omitted };
    return parts.some(isBinary) ? { path, change } : { path, change, diff: parts.map(String).join('') };
  });
  if (next !== sections.length) {
    throw new Error(`git reports ${sections.length} changed files, expected ${next}`);
  }
  return changes;
}

/** A file that became a link is reported as one deleted and one created path. */
function sectionsOf(difference: Difference): number {
  const before = inGit(difference.before);
  const after = inGit(difference.after);
  if (before === undefined && after === undefined) return 0;
  const changesKind =
    before !== undefined && after !== undefined && (before.mode === '120000') !== (after.mode === '120000');
  return changesKind ? 2 : 1;
}

/** Lines of content start with a blank, a sign or a backslash, so this line always starts a file. */
const NEXT_SECTION = '\ndiff --git ';

function patchSections(patch: Buffer): Buffer[] {
  if (patch.length === 0) return [];
  const starts = [0];
  for (let at = patch.indexOf(NEXT_SECTION); at >= 0; at = patch.indexOf(NEXT_SECTION, at + 1)) {
    starts.push(at + 1);
  }
  return starts.map((start, index) => patch.subarray(start, starts[index + 1]));
}

function isBinary(section: Buffer): boolean {
  const firstHunk = section.indexOf('\n@@ ');
  const head = firstHunk < 0 ? section : section.subarray(0, firstHunk);
  return head.includes('\nBinary files ');
}
