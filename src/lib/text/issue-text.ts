import type * as z from 'zod';

/** What a schema found, on one line. */
export function issueText({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}
