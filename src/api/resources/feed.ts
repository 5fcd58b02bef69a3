import { z } from 'zod';

import { run } from './run.ts';
import { trial } from './trial.ts';

const counts = z.record(z.string(), z.number().int());
const cost = z
  .number()
  .nullable()
  .meta({ description: 'USD; null: a part of it is unknown, or nothing was spent' });

/** The message of a feed about a changed run. The event name is `run`. */
export const runChange = z.object({
  ...run.pick({ id: true, state: true }).shape,
  counts: counts.nullable(),
  done: z.number().int().nullable(),
  total: z.number().int().nullable(),
  cost,
  targets: z
    .array(
      z.object({
        target: z.string(),
        counts,
        done: z.number().int(),
        total: z.number().int().nullable(),
        in_flight: z.number().int().meta({ description: 'trials that run now' }),
        cost,
      }),
    )
    .readonly(),
});
export type RunChange = z.infer<typeof runChange>;

/** The message about a trial that has ended. The event name is `trial`. */
export const trialChange = z.object({ run_id: z.string(), ...trial.shape });
export type TrialChange = z.infer<typeof trialChange>;
