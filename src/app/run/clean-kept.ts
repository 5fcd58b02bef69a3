import type { Redactor } from '../../lib/redact/redact.ts';
import { redactKept } from '../../storage/run-directory/redact-kept.ts';

/** Takes secrets out of a workspace that is about to be kept; gives what a person should know of what is missing. */
export async function cleanKept(directory: string, redactor: Redactor): Promise<readonly string[]> {
  const { leftOut, unread } = await redactKept(directory, redactor);
  return [
    ...told(leftOut, 'left out of the kept workspace, because a secret stands where it cannot be replaced'),
    ...told(unread, 'kept as they are, because they cannot be read and secrets in them cannot be found'),
  ].map(redactor.text);
}

const SHOWN = 20;

function told(paths: readonly string[], what: string): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  return [`${what}: ${paths.slice(0, SHOWN).join(', ')}${more}`];
}
