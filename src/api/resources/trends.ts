import { z } from 'zod';

import { judging } from './judge.ts';
import { moment, several } from './page.ts';
import { archived } from './run.ts';

const interval = z.object({ lower: z.number(), upper: z.number() }).nullable();

/** The results of one target in one run. */
export const trendPoint = z.object({
  run_id: z.string(),
  at: z.string(),
  agent_version: z.string().nullable(),
  target: z.string(),
  line: z.string().nullable(),
  case_digest: z.string().meta({
    description: 'digest of all cases with their graders; points with another digest form another series',
  }),
  counts: z.record(z.string(), z.number().int()),
  rate: z.number().nullable(),
  rate_of_cases: z.number().int().nullable().meta({
    description:
      'number of cases if `rate` is the mean over cases; null if it is passed trials divided by measured trials',
  }),
  interval: interval.meta({ description: '95 % interval of `rate`' }),
  errored: z.number().int(),
  score: z.number().nullable(),
  scored_in: z.enum(['fraction', 'percent']).meta({
    description: '`percent`: show `score` from 0 to 100, as for stored cases; it is always 0 to 1 here',
  }),
  flake_rate: z.number().nullable(),
  cost_usd: z
    .number()
    .nullable()
    .meta({ description: 'null: a part of it is unknown, or nothing was spent' }),
  cost_unknown: z.boolean().meta({ description: 'a part of the cost is unknown' }),
  latency_p95_ms: z.number().nullable(),
  judging,
});
export type TrendPoint = z.infer<typeof trendPoint>;

export const trendsQuery = z.strictObject({
  target: z.string().optional(),
  line: z.string().optional(),
  tag: several(z.string()).meta({ description: 'tags of runs; run directories have none' }),
  archived,
  since: moment.meta({
    description: 'started at this date or time, or later: `2026-01-31`, `2026-01-31T09:30:00Z`',
  }),
  until: moment.meta({ description: 'started before this date or time' }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(200)
    .meta({ description: 'number of runs to include, newest first' }),
});

export const trends = z.object({ data: z.array(trendPoint).readonly() });
