import { z } from 'zod';

import type { JsonObject } from '../../lib/json.ts';
import { document } from './document.ts';
import { several } from './page.ts';

export const comparisonQuery = z.strictObject({
  base: z.string().min(1).meta({ description: '`RUN` or `RUN#TARGET`' }),
  candidate: z.string().min(1).meta({ description: '`RUN` or `RUN#TARGET`' }),
  across: several(z.enum(['case', 'grader', 'selection'])),
  on: z.enum(['score', 'passed']).optional(),
  margin: z.coerce.number().min(0).max(1).default(0.05),
});

export const comparison = document<JsonObject>('Comparison', 'as `assay compare --json` prints it');

/** How the cases of each tag changed; only a description, not a statistical test. */
export const tagComparisons = z.object({
  data: z
    .array(
      z.object({
        base: z.string().meta({ description: 'target of the base run' }),
        candidate: z.string().meta({ description: 'target of the candidate run' }),
        on: z.enum(['score', 'passed']),
        tags: z
          .array(
            z.object({
              tag: z.string(),
              pairs: z.number().int().meta({ description: 'cases that were measured on both sides' }),
              worse: z.number().int(),
              better: z.number().int(),
              base: z.number().meta({ description: 'mean over these cases; each case counts once' }),
              candidate: z.number(),
            }),
          )
          .readonly()
          .meta({ description: 'sorted by how much the tag got worse, the worst first' }),
      }),
    )
    .readonly(),
});
