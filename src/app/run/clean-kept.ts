import type { Redactor } from '../../lib/redact/redact.ts';
import { redactKept } from '../../storage/run-directory/redact-kept.ts';
import type { CleanedDirectory } from '../../workspaces/put-away.ts';

/** Takes secrets out of a workspace that is about to be kept. */
export async function cleanKept(directory: string, redactor: Redactor): Promise<CleanedDirectory> {
  const { leftOut, replaced, unread } = await redactKept(directory, redactor);
  const warnings = [
    ...told(leftOut, 'left out of the kept workspace, because a secret stands where it cannot be replaced'),
    ...told(unread, 'kept as they are, because they cannot be read and secrets in them cannot be found'),
  ];
  return {
    warnings: warnings.map(redactor.text),
    redacted: [...leftOut, ...replaced].map(redactor.text).toSorted(),
  };
}

const SHOWN = 20;

function told(paths: readonly string[], what: string): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  return [`${what}: ${paths.slice(0, SHOWN).join(', ')}${more}`];
}
