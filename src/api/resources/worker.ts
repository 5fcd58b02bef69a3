import { z } from 'zod';

import { pageOf, pageQuery } from './page.ts';

/** A process that runs trials of runs which other processes conduct. */
export const worker = z.object({
  id: z.string().meta({ description: 'a UUID' }),
  name: z.string(),
  host: z.string(),
  pid: z.number().int(),
  version: z.string().meta({ description: 'of assay' }),
  slots: z.number().int().meta({ description: 'number of parallel trials' }),
  started_at: z.string().meta({ description: 'ISO 8601 with microseconds' }),
  seen_at: z.string().meta({ description: 'ISO 8601 with microseconds' }),
  alive: z.boolean(),
  stopping: z.boolean().meta({ description: 'whether it takes no more trials' }),
  trials: z
    .array(z.object({ run_id: z.string(), trial: z.string(), since: z.string() }))
    .readonly()
    .meta({ description: 'the trials that it runs now, by their keys' }),
  refusals: z
    .array(z.object({ run_id: z.string(), reason: z.string() }))
    .readonly()
    .meta({ description: 'runs whose trials it does not take' }),
});
export type WorkerResource = z.infer<typeof worker>;

export const workersQuery = z.strictObject(pageQuery);

export const workers = pageOf(worker);
