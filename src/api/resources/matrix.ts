import { z } from 'zod';

import { trial } from './trial.ts';

/** Cases by targets. Each cell has one mark per repetition. */
export const matrix = z.object({
  targets: z.array(z.string()).readonly(),
  cases: z
    .array(
      z.object({
        suite: z.string(),
        case_id: z.string(),
        case_name: z.string().nullable(),
        cells: z
          .array(
            z
              .array(trial.pick({ number: true, repetition: true, verdict: true, status: true, score: true }))
              .readonly(),
          )
          .readonly()
          .meta({
            description:
              'one list for each target, in the order of `targets`; each list has the trials of that target in the order of their repetitions',
          }),
      }),
    )
    .readonly(),
  next_cursor: z.string().nullable(),
});
export type Matrix = z.infer<typeof matrix>;
