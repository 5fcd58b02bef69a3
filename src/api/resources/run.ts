import { z } from 'zod';

import type { ManifestHead } from '../../core/run-store.ts';
import type { ShownTotals } from '../../reading/shown-totals.ts';
import { document } from './document.ts';
import { judging } from './judge.ts';
import { moment, pageOf, pageQuery, several } from './page.ts';

const STATES = ['queued', 'running', 'stopping', 'completed', 'stopped', 'interrupted'] as const;

const totals = document<ShownTotals>('Totals', 'summary of the ended trials, as in results.json');

/** A run, or why it cannot be read. */
export const run = z.object({
  id: z.string(),
  state: z.enum([...STATES, 'unreadable']),
  kind: z.enum(['run', 'grade']).nullable(),
  source_run_id: z.string().nullable(),
  line: z.string().nullable().meta({ description: 'name of the group of runs to compare with each other' }),
  name: z.string().nullable(),
  note: z.string().nullable(),
  tags: z.array(z.string()).readonly(),
  origin: z
    .enum(['server', 'cli', 'upload'])
    .nullable()
    .meta({ description: 'who started it; null: a run directory' }),
  archived_at: z.string().nullable(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  targets: z.array(z.string()).readonly(),
  planned: z.number().int().nullable(),
  manifest: document<ManifestHead>(
    'Manifest',
    'run.json without its list of digests; the `digest` of a target is a position in the list that `GET /runs/{run}/digests` returns',
  ).nullable(),
  totals: totals.nullable(),
  judging,
  by_target: z
    .array(
      z.object({
        target: z.string(),
        planned: z.number().int().nullable(),
        totals,
        latency_p50_ms: z.number().nullable().meta({ description: 'of agent turns in measured trials' }),
        latency_p95_ms: z.number().nullable().meta({ description: 'null below 20 turns' }),
        judging,
      }),
    )
    .readonly(),
  baseline: z
    .object({
      run_id: z.string(),
      verdict: z.string(),
      sentence: z.string(),
      rate: z.number().nullable().meta({ description: 'of the baseline; null: unknown, or it was removed' }),
    })
    .nullable()
    .meta({ description: 'the run that it was compared with when it ended' }),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).nullable(),
});
export type RunResource = z.infer<typeof run>;

/** Whether a list has archived runs. */
export const archived = z
  .enum(['false', 'true', 'any'])
  .default('false')
  .meta({ description: 'true: only archived runs' });

export const runsQuery = z.strictObject({
  state: several(z.enum([...STATES, 'unreadable'])),
  kind: z.enum(['run', 'grade']).optional(),
  source_run_id: z.string().optional().meta({ description: 'only runs that graded this run again' }),
  target: several(z.string()),
  line: z.string().optional(),
  tag: several(z.string()).meta({ description: 'tags of runs; run directories have none' }),
  set: z
    .string()
    .optional()
    .meta({ description: 'id or name of the set whose cases were run; run directories have none' }),
  archived,
  since: moment.meta({
    description: 'started at this date or time, or later: `2026-01-31`, `2026-01-31T09:30:00Z`',
  }),
  until: moment.meta({ description: 'started before this date or time' }),
  search: z
    .string()
    .optional()
    .meta({ description: 'part of the id or the name, or the name of a suite or target' }),
  sort: z.enum(['started_at', '-started_at']).default('-started_at'),
  ...pageQuery,
});

export const runs = pageOf(run);
