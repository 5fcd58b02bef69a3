import { z } from 'zod';

import { metricKeys } from '../../core/metric-grammar.ts';
import { ageSort, pageOf, pageQuery, several } from './page.ts';

const keys = metricKeys();
const fields = {
  display_name: keys.displayName.nullable().meta({ description: 'name for people; default: null' }),
  tier: keys.tier.nullable().meta({ description: 'group of the metric in reports; default: null' }),
  kind: keys.kind,
  rubric: keys.rubric,
  default_weight: keys.defaultWeight,
};

const ORIGINS = ['built-in', 'config', 'store'] as const;

/** A judge metric. */
export const metric = z.object({
  id: z.string(),
  origin: z.enum(ORIGINS).meta({ description: 'only metrics of the store can be changed here' }),
  display_name: z.string().nullable(),
  tier: z.string().nullable(),
  kind: z.enum(['scored', 'binary']).meta({ description: 'scored: 0 to 5; binary: passed or failed' }),
  rubric: z.string(),
  default_weight: z.number().nullable().meta({ description: 'null: each list of metrics must set a weight' }),
  archived_at: z.string().nullable().meta({ description: 'runs planned later cannot use it' }),
  created_at: z
    .string()
    .nullable()
    .meta({ description: 'ISO 8601 with microseconds; null: not in the store' }),
  updated_at: z.string().nullable().meta({ description: 'time of the last change; null: not in the store' }),
});
export type MetricResource = z.infer<typeof metric>;

export const metricBody = z.strictObject({ id: keys.id, ...fields });

export const metricFields = z.strictObject(fields);

export const metricsQuery = z.strictObject({
  archived: z
    .enum(['false', 'true', 'any'])
    .default('false')
    .meta({ description: 'which metrics to list: not archived, archived, or both' }),
  origin: several(z.enum(ORIGINS)),
  sort: ageSort.meta({
    description:
      'default: the oldest first; metrics that are not of the store have no time and count as oldest',
  }),
  ...pageQuery,
});

export const metrics = pageOf(metric);
