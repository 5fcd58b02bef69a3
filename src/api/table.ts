import { z } from 'zod';

import type { RunEvent } from '../core/run.ts';
import { comparison, comparisonQuery, tagComparisons } from './resources/comparison.ts';
import { runCost } from './resources/cost.ts';
import { distributions, distributionsQuery } from './resources/distributions.ts';
import { document } from './resources/document.ts';
import { judges } from './resources/judge.ts';
import { matrix } from './resources/matrix.ts';
import { pageOf, pageQuery } from './resources/page.ts';
import { run, runs, runsQuery } from './resources/run.ts';
import { health, settings } from './resources/settings.ts';
import { transcript, transcriptQuery, trials, trialsQuery, wholeTrial } from './resources/trial.ts';
import { trends, trendsQuery } from './resources/trends.ts';
import { read, type Route } from './route.ts';

const event = document<RunEvent>('RunEvent', 'one line of events.jsonl');

/** Every operation of the API, by its name. */
export const table = {
  listRuns: read({
    path: '/runs',
    summary: 'Runs, newest first',
    query: runsQuery,
    answer: runs,
    needs: 'runs',
  }),
  getRun: read({ path: '/runs/{run}', summary: 'One run', answer: run, needs: 'runs' }),
  getRunCost: read({
    path: '/runs/{run}/cost',
    summary: 'What a run spent by role, target and case, with its dearest and slowest trials',
    answer: runCost,
    needs: 'runs',
  }),
  getRunDistributions: read({
    path: '/runs/{run}/distributions',
    summary: 'Histograms of score, duration, latency, cost and tokens of measured trials',
    query: distributionsQuery,
    answer: distributions,
    needs: 'runs',
  }),
  listJudges: read({
    path: '/runs/{run}/judges',
    summary: 'Graders that asked a model, and how far people agree with them',
    answer: judges,
    needs: 'runs',
  }),
  listTrials: read({
    path: '/runs/{run}/trials',
    summary: 'Trials of a run that have ended',
    query: trialsQuery,
    answer: trials,
    needs: 'runs',
  }),
  getTrial: read({
    path: '/runs/{run}/trials/{trial}',
    summary: 'One trial by its number or its encoded key',
    answer: wholeTrial,
    needs: 'runs',
  }),
  getTranscript: read({
    path: '/runs/{run}/trials/{trial}/transcript',
    summary: 'The transcript of the last attempt of a trial',
    query: transcriptQuery,
    answer: transcript,
    needs: 'runs',
  }),
  getArtifact: {
    method: 'GET',
    path: '/runs/{run}/trials/{trial}/attempts/{attempt}/artifacts/{name}',
    summary: 'Download of a file that an attempt left',
    status: 200,
    sends: 'file',
    needs: 'runs',
  },
  exportRun: {
    method: 'GET',
    path: '/runs/{run}/export',
    summary: 'The rows of a run, or a report of it, as a download',
    query: z.strictObject({ format: z.enum(['jsonl', 'csv', 'junit', 'markdown', 'html']).default('jsonl') }),
    status: 200,
    sends: 'file',
    needs: 'runs',
  },
  getAttachment: {
    method: 'GET',
    path: '/attachments/{sha256}',
    summary: 'A text that was too large for its line in the log, as a download',
    query: z.strictObject({
      run: z.string().optional().meta({ description: 'only look in this run, which is faster' }),
    }),
    status: 200,
    sends: 'file',
    needs: 'runs',
  },
  getMatrix: read({
    path: '/runs/{run}/matrix',
    summary: 'Cases by targets',
    query: z.strictObject(pageQuery),
    answer: matrix,
    needs: 'runs',
  }),
  listEvents: read({
    path: '/runs/{run}/events',
    summary: 'The log of a run: one page as JSON, or `text/event-stream` to follow it',
    query: z.strictObject({
      after: z.coerce.number().int().min(0).default(0),
      limit: pageQuery.limit,
    }),
    answer: pageOf(event),
    needs: 'runs',
  }),
  followRuns: {
    method: 'GET',
    path: '/feed',
    summary: 'A message for each change of a run, as `text/event-stream`',
    query: z.strictObject({ run: z.string().optional() }),
    status: 200,
    sends: 'event-stream',
    needs: 'runs',
  },
  listTrends: read({
    path: '/trends',
    summary: 'The results of each run and target over time',
    query: trendsQuery,
    answer: trends,
    needs: 'runs',
  }),
  compareRuns: read({
    path: '/comparisons',
    summary: 'Comparison of two runs',
    query: comparisonQuery,
    answer: comparison,
    needs: 'runs',
  }),
  compareTags: read({
    path: '/comparisons/tags',
    summary: 'The same by tag: how many cases got worse or better',
    query: comparisonQuery,
    answer: tagComparisons,
    needs: 'runs',
  }),
  getSettings: read({
    path: '/settings',
    summary: 'Version, project and mode of this server',
    answer: settings,
    needs: 'nothing',
  }),
  getOpenApi: read({
    path: '/openapi.json',
    summary: 'This OpenAPI document',
    answer: document<object>('OpenAPI', 'OpenAPI 3.1'),
    needs: 'nothing',
  }),
  getTestCaseSchema: read({
    path: '/schemas/test-case',
    summary: 'The JSON Schema of stored test cases',
    answer: document<object>('JSON Schema', 'draft 2020-12'),
    needs: 'nothing',
  }),
  getHealth: read({ path: '/healthz', summary: 'Whether the server runs', answer: health, needs: 'nothing' }),
  getReadiness: read({
    path: '/readyz',
    summary: 'Whether the server can answer',
    answer: health,
    needs: 'nothing',
  }),
} as const satisfies Readonly<Record<string, Route>>;

export type Table = typeof table;
export type Operation = keyof Table;
