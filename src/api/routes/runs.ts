import { z } from 'zod';

import type { RunEvent } from '../../core/run.ts';
import { runCost } from '../resources/cost.ts';
import { distributions, distributionsQuery } from '../resources/distributions.ts';
import { document } from '../resources/document.ts';
import { judges } from '../resources/judge.ts';
import { matrix } from '../resources/matrix.ts';
import { pageOf, pageQuery } from '../resources/page.ts';
import { run, runs, runsQuery } from '../resources/run.ts';
import { download, readRuns, type Route } from '../route.ts';

const event = document<RunEvent>('RunEvent', 'one line of events.jsonl');

/** Runs and their logs. */
export const runRoutes = {
  listRuns: readRuns({
    path: '/runs',
    summary: 'Runs, newest first',
    query: runsQuery,
    answer: runs,
  }),
  getRun: readRuns({ path: '/runs/{run}', summary: 'One run', answer: run, tagged: true }),
  getRunCost: readRuns({
    path: '/runs/{run}/cost',
    summary: 'Cost of a run by role, target and case, with the most expensive and the slowest trials',
    answer: runCost,
  }),
  getRunDistributions: readRuns({
    path: '/runs/{run}/distributions',
    summary: 'Histograms of score, duration, latency, cost and tokens of measured trials',
    query: distributionsQuery,
    answer: distributions,
  }),
  listDigests: readRuns({
    path: '/runs/{run}/digests',
    summary: 'The list of sha-256 digests that rows and grades of a run refer to by position',
    answer: z.object({ data: z.array(z.string()).readonly() }),
  }),
  listJudges: readRuns({
    path: '/runs/{run}/judges',
    summary: 'Graders that asked a model, and how well people agree with them',
    answer: judges,
  }),
  getMatrix: readRuns({
    path: '/runs/{run}/matrix',
    summary: 'Results of each case on each target',
    query: z.strictObject(pageQuery),
    answer: matrix,
  }),
  exportRun: download({
    path: '/runs/{run}/export',
    summary: 'Download the rows of a run, or a report',
    query: z.strictObject({ format: z.enum(['jsonl', 'csv', 'junit', 'markdown', 'html']).default('jsonl') }),
    needs: 'runs',
  }),
  getAttachment: download({
    path: '/attachments/{sha256}',
    summary: 'Download a text that was too large for a line of the log',
    query: z.strictObject({
      run: z.string().optional().meta({ description: 'only look in this run, which is faster' }),
    }),
    needs: 'runs',
  }),
  listEvents: readRuns({
    path: '/runs/{run}/events',
    summary: 'The log of a run: one page as JSON, or `text/event-stream` to follow it',
    query: z.strictObject({
      after: z.coerce.number().int().min(0).default(0),
      limit: pageQuery.limit,
    }),
    answer: pageOf(event),
  }),
  followRuns: {
    method: 'GET',
    path: '/feed',
    summary: 'Sends a message for each change of a run, as `text/event-stream`',
    query: z.strictObject({ run: z.string().optional() }),
    status: 200,
    sends: 'event-stream',
    needs: 'runs',
  },
} as const satisfies Readonly<Record<string, Route>>;
