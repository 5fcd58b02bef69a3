import type { Redactor } from '../../lib/redact/redact.ts';
import { namedPaths, unsearchedNotes } from '../../storage/cleaning/cleaning-notes.ts';
import { fileCleaner } from '../../storage/cleaning/file-cleaner.ts';
import type { CleanedDirectory } from '../../workspaces/put-away.ts';

/** Removes secrets from a workspace before it is kept. */
export async function cleanKept(directory: string, redactor: Redactor): Promise<CleanedDirectory> {
  const cleaned = await fileCleaner(redactor).cleanTree(directory, 'workspace');
  const { leftOut, replaced, unread, unsearched } = cleaned;
  const warnings = [
    ...namedPaths(leftOut, 'left out of the kept workspace, because a secret in it could not be removed'),
    ...namedPaths(unread, 'kept unchanged, because they cannot be read and searched for secrets'),
    ...unsearchedNotes(unsearched, 'left out of the kept workspace'),
  ];
  const missing = [...leftOut, ...Object.values(unsearched).flat()];
  return {
    warnings: warnings.map(redactor.text),
    redacted: [...missing, ...replaced].map(redactor.text).toSorted(),
  };
}
