import { expect, test } from 'vitest';

import type { Route } from '../api/route.ts';
import { table } from '../api/table.ts';
import { sha256 } from '../lib/digest.ts';
import { ended, rowOf, attemptOf } from '../storage/run-directory/fixtures/runs.ts';
import { LONG } from '../../test/support/written-runs.ts';
import { viewedRuns } from '../../test/support/viewed-runs.ts';
import type { ViewOperation } from './operation.ts';

const { begin, ask } = viewedRuns();

/** How each is asked of a run of one trial; the table demands one of every operation that needs no store. */
const ASKED: Readonly<Record<ViewOperation, (run: string) => string>> = {
  listRuns: () => '/runs',
  getRun: (run) => `/runs/${run}`,
  getRunCost: (run) => `/runs/${run}/cost`,
  getRunDistributions: (run) => `/runs/${run}/distributions?target=t`,
  listDigests: (run) => `/runs/${run}/digests`,
  listJudges: (run) => `/runs/${run}/judges`,
  listTrials: (run) => `/runs/${run}/trials`,
  getTrial: (run) => `/runs/${run}/trials/1`,
  getTranscript: (run) => `/runs/${run}/trials/1/transcript`,
  getArtifact: (run) => `/runs/${run}/trials/1/attempts/1/artifacts/out.txt`,
  exportRun: (run) => `/runs/${run}/export`,
  getAttachment: (run) => `/attachments/${sha256(LONG)}?run=${run}`,
  getMatrix: (run) => `/runs/${run}/matrix`,
  listEvents: (run) => `/runs/${run}/events`,
  followRuns: (run) => `/feed?run=${run}`,
  listTrends: () => '/trends',
  compareRuns: (run) => `/comparisons?base=${run}&candidate=${run}`,
  compareTags: (run) => `/comparisons/tags?base=${run}&candidate=${run}`,
  getSettings: () => '/settings',
  getOpenApi: () => '/openapi.json',
  getTestCaseSchema: () => '/schemas/test-case',
  getHealth: () => '/healthz',
  getReadiness: () => '/readyz',
};

const operations = Object.keys(ASKED) as ViewOperation[];
const routeOf = (operation: ViewOperation): Route => table[operation];
const isDocument = (operation: ViewOperation) => routeOf(operation).answer !== undefined;

test.each(operations.filter(isDocument))('%s answers as its route says', async (operation) => {
  const { status, answer } = routeOf(operation);
  const answered = await ask(ASKED[operation](await runOfOne()));
  const body: unknown = await answered.json();
  expect([answered.status, answer?.parse(body)]).toEqual([status, body]);
});

test.each(operations.filter((operation) => !isDocument(operation)))('%s streams', async (operation) => {
  const { status, sends } = routeOf(operation);
  const answered = await ask(ASKED[operation](await runOfOne()));
  const type = operation === 'exportRun' ? 'application/x-ndjson' : 'application/octet-stream';
  expect([answered.status, answered.headers.get('content-type')]).toEqual([
    status,
    sends === 'file' ? type : 'text/event-stream',
  ]);
  await answered.body?.cancel();
});

async function runOfOne(): Promise<string> {
  const run = await begin(1000, 1);
  const artifacts = run.artifacts(rowOf('a'), 1, () => undefined);
  await artifacts.write('out.txt', 'hello');
  await artifacts.close();
  const log = run.openLog(0);
  await log.append([...attemptOf('a', 1, ['hello']), ended(rowOf('a', { output: LONG }))]);
  log.close();
  run.save({ ...run.manifest, state: 'completed', endedAt: new Date(6000).toISOString() });
  run.release();
  return run.manifest.id;
}
