import type { Redactor } from '../../lib/redact/redact.ts';
import { namedPaths, unsearchedNotes } from '../../storage/cleaning/cleaning-notes.ts';
import { fileCleaner } from '../../storage/cleaning/file-cleaner.ts';
import type { CleanedDirectory } from '../../workspaces/put-away.ts';

/** Takes secrets out of a workspace that is about to be kept. */
export async function cleanKept(directory: string, redactor: Redactor): Promise<CleanedDirectory> {
  const cleaned = await fileCleaner(redactor).cleanTree(directory, 'workspace');
  const { leftOut, replaced, unread, unsearched } = cleaned;
  const warnings = [
    ...namedPaths(
      leftOut,
      'left out of the kept workspace, because a secret stands where it cannot be replaced',
    ),
    ...namedPaths(
      unread,
      'kept as they are, because they cannot be read and secrets in them cannot be found',
    ),
    ...unsearchedNotes(unsearched, 'left out of the kept workspace'),
  ];
  const missing = [...leftOut, ...Object.values(unsearched).flat()];
  return {
    warnings: warnings.map(redactor.text),
    redacted: [...missing, ...replaced].map(redactor.text).toSorted(),
  };
}
