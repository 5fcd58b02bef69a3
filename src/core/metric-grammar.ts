import * as z from 'zod';

import { weightKey } from './verdict.ts';

/** What an author writes of a judge metric: the same rules in the config and in the store. */
export function metricKeys() {
  return {
    id: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be snake_case with at most 64 characters')
      .describe('Name of the metric in lists and results.'),
    displayName: z.string().min(1).optional().describe('Name for people.'),
    tier: z.string().min(1).optional().describe('Group of the metric in reports.'),
    kind: z.enum(['scored', 'binary']).describe('scored: 0 to 5. binary: passed or failed.'),
    rubric: z
      .string()
      .regex(/\S/, 'must not be blank')
      .describe('What the metric measures, and what each score means.'),
    defaultWeight: weightKey().describe(
      'Weight of the metric if its entry in `judge.metrics` has no `weight`.',
    ),
  };
}
