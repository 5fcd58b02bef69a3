import { z } from 'zod';

import type { JsonObject } from '../../lib/json.ts';
import { document } from '../resources/document.ts';
import { run } from '../resources/run.ts';
import { nothing, regradeBody, resumeBody, runChange, startBody } from '../resources/run-request.ts';
import { change, start, type Route } from '../route.ts';

const plan = document<JsonObject>('Plan', 'what `assay run --dry --json` prints: the answer to `dry_run`');

/** Starting, ending and naming runs of the store. */
export const storedRunRoutes = {
  startRun: start({
    path: '/runs',
    summary: 'Plan a run of stored test cases and start it; with `dry_run`, only return the plan, with 200',
    body: startBody,
    checksBody: true,
    answer: z.union([run, plan]),
    idempotent: true,
  }),
  changeRun: change({
    method: 'PATCH',
    path: '/runs/{run}',
    summary: 'Change name, note, line or tags of a run, or archive it',
    body: runChange,
    answer: run,
  }),
  cancelRun: start({
    path: '/runs/{run}/cancel',
    summary: 'Cancel the running trials of a run, and start no more trials',
    body: nothing.optional(),
    answer: run,
  }),
  resumeRun: start({
    path: '/runs/{run}/resume',
    summary: 'Resume a run: run the trials that have no outcome, and run the trials of `retry` again',
    body: resumeBody.optional(),
    checksBody: true,
    answer: run,
  }),
  regradeRun: start({
    path: '/runs/{run}/regrade',
    summary: 'Grade the stored trials of a run again, into a new run',
    body: regradeBody.optional(),
    checksBody: true,
    answer: run,
  }),
} as const satisfies Readonly<Record<string, Route>>;
