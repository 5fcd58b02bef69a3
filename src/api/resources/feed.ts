import { z } from 'zod';

import { run } from './run.ts';
import { trial } from './trial.ts';

/** The message of a feed about a changed run. The event name is `run`. */
export const runChange = z.object({
  ...run.pick({ id: true, state: true }).shape,
  counts: z.record(z.string(), z.number().int()).nullable(),
  done: z.number().int().nullable(),
  total: z.number().int().nullable(),
  cost: z.number().nullable().meta({ description: 'US dollars; null if a part is unknown' }),
});
export type RunChange = z.infer<typeof runChange>;

/** The message about a trial that has ended. The event name is `trial`. */
export const trialChange = z.object({ run_id: z.string(), ...trial.shape });
export type TrialChange = z.infer<typeof trialChange>;
