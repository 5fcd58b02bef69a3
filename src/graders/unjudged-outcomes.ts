import * as z from 'zod';

import type { Finding } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';

const config = z.lazy(() =>
  z.strictObject({
    labels: z.array(z.string()).describe('Labels of the expected outcomes that are not judged.'),
  }),
);

/** Stands for the expected outcomes of a stored case in a run that does not judge them. It decides nothing. */
export const unjudgedOutcomes: GraderPlugin<z.infer<typeof config>> = {
  type: 'unjudged_outcomes',
  version: 1,
  summary: 'Says that the expected outcomes of a stored case were not judged.',
  config,
  demands: () => ({}),
  create: ({ labels }) => ({
    grade: async () =>
      labels.map((outcome): Finding => ({
        part: `outcome/${outcome}`,
        outcome,
        score: null,
        reason: 'this run did not judge expected outcomes (`judge.outcomes` is off)',
      })),
  }),
};
