import { z } from 'zod';

import type { ManifestHead } from '../../core/run-store.ts';
import type { Totals } from '../../reading/totals.ts';
import { document } from './document.ts';
import { pageOf, pageQuery, several } from './page.ts';

const STATES = ['queued', 'running', 'stopping', 'completed', 'stopped', 'interrupted'] as const;

/** A run, or the reason why it cannot be read. */
export const run = z.object({
  id: z.string(),
  state: z.enum([...STATES, 'unreadable']),
  kind: z.enum(['run', 'grade']).nullable(),
  source_run_id: z.string().nullable(),
  line: z.string().nullable().meta({ description: 'name of the group of runs to compare with each other' }),
  name: z.string().nullable(),
  tags: z.array(z.string()).readonly(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  targets: z.array(z.string()).readonly(),
  planned: z.number().int().nullable(),
  manifest: document<ManifestHead>('Manifest', 'run.json without its list of digests').nullable(),
  totals: document<Totals>('Totals', 'totals of the trials that have ended').nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type RunResource = z.infer<typeof run>;

export const runsQuery = z.strictObject({
  state: several(z.enum([...STATES, 'unreadable'])),
  kind: z.enum(['run', 'grade']).optional(),
  target: several(z.string()),
  line: z.string().optional(),
  since: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  search: z.string().optional().meta({ description: 'part of the id, or the name of a suite or target' }),
  sort: z.enum(['started_at', '-started_at']).default('-started_at'),
  ...pageQuery,
});

export const runs = pageOf(run);
