import { z } from 'zod';

export const distributionsQuery = z.strictObject({
  target: z.string().optional().meta({ description: 'only its trials' }),
});

/** How values of measured trials are distributed. */
export const distribution = z.object({
  measure: z.enum(['score', 'duration', 'latency', 'cost', 'tokens']).meta({
    description: 'duration of a trial; latency of an agent turn; cost and tokens of the agent',
  }),
  unit: z.enum(['fraction', 'ms', 'usd', 'tokens']),
  n: z.number().int(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  mean: z.number().nullable(),
  p50: z.number().nullable(),
  p95: z.number().nullable().meta({ description: 'null below 20 values' }),
  buckets: z
    .array(z.object({ from: z.number(), to: z.number(), count: z.number().int() }))
    .readonly()
    .meta({ description: 'adjacent bins of equal width; only the last bin includes its `to`' }),
});

export const distributions = z.object({ data: z.array(distribution).readonly() });
export type Distributions = z.infer<typeof distributions>;
