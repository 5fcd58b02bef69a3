import type * as z from 'zod';

/** The issues of a schema on one line. */
export function issueText({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}
