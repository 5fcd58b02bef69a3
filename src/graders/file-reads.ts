import * as z from 'zod';

import type { GraderPlugin } from '../core/plugin.ts';
import { deciding } from './deciding.ts';
import { assertReported, fileReadsOf } from './effects.ts';
import { decideUses, textShown, type ExpectedUse } from './expected-uses.ts';
import { matcherOf, matcherText } from './text-matcher.ts';

const paths = z.lazy(() => z.array(matcherText).min(1));

const config = z.lazy(() =>
  z
    .strictObject({
      read: paths
        .optional()
        .describe(
          'Texts or /patterns/; each must match the path of a file that was read. A text matches if the path contains it.',
        ),
      not_read: paths
        .optional()
        .describe('Texts or /patterns/; none may match the path of a file that was read.'),
    })
    .refine(({ read, not_read }) => (read ?? not_read) !== undefined, {
      error: 'give `read` or `not_read`',
    }),
);

export const fileReads: GraderPlugin<z.infer<typeof config>> = {
  type: 'file_reads',
  version: 1,
  summary: 'The agent read, or did not read, files.',
  config,
  create: ({ read = [], not_read = [] }) =>
    deciding((subject) => {
      if (not_read.length > 0) assertReported(subject, 'file reads');
      const observed = { things: 'file reads', values: fileReadsOf(subject.transcript) };
      return decideUses(read.map(expectedUse), not_read.map(expectedUse), observed);
    }),
};

function expectedUse(text: string): ExpectedUse {
  return { shown: textShown(text), fits: matcherOf(text, 'contains') };
}
