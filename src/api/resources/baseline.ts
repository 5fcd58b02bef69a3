import { z } from 'zod';

import { pageOf, pageQuery } from './page.ts';

const name = z.string().trim().min(1).max(1000);

/** The run that later runs of a target and a line are compared with. */
export const baseline = z.object({
  id: z.string().meta({ description: 'a UUID' }),
  target: z.string(),
  line: z.string(),
  run_id: z.string(),
  set_by: z.string().nullable().meta({ description: 'e-mail of the account' }),
  set_at: z.string().meta({ description: 'ISO 8601 with microseconds' }),
  cleared_at: z.string().nullable().meta({ description: 'null: it is the current baseline' }),
});
export type BaselineResource = z.infer<typeof baseline>;

export const baselineBody = z.strictObject({
  target: name.meta({ description: 'a target of the run' }),
  line: name,
  run_id: name.meta({ description: 'a completed run' }),
});

export const baselinesQuery = z.strictObject({
  target: z.string().optional(),
  line: z.string().optional(),
  run: z.string().optional(),
  sort: z
    .enum(['target', '-target', 'set_at', '-set_at'])
    .default('target')
    .meta({ description: '`target`: by target and line; `set_at`: the oldest first' }),
  ...pageQuery,
});

export const baselines = pageOf(baseline);
