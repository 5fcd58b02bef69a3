import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

import type { Row } from '../core/run.ts';
import { grade, manifest, readerOf, row, rows, servicesFor, viewOf } from './fixtures/sample-run.ts';
import { json } from './json.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

let directory: string;
beforeEach(async () => {
  directory = folderOfTest('assay-json-');
});

async function results(all: Iterable<Row>) {
  const sink = json.create(servicesFor(directory, { reader: readerOf(all), view: () => viewOf(all) }));
  await sink.close?.();
  return JSON.parse(await readFile(join(directory, 'results.json'), 'utf8'));
}

test('graders are counted for each target, and those of a metric together', async () => {
  const graded = [grade('a', { metric: 'm' }), grade('b', { metric: 'm', score: 0, passed: false })];
  const { graders } = await results([
    row({ grades: graded }),
    row({ target: 'baseline', grades: [grade('a')] }),
  ]);
  expect(graders).toEqual([
    {
      name: 'm',
      kind: 'metric',
      targets: [{ target: 'support-bot', graded: 2, passed: 1, errored: 0, mean: 0.5 }],
    },
    {
      name: 'a',
      kind: 'grader',
      targets: [{ target: 'baseline', graded: 1, passed: 1, errored: 0, mean: 1 }],
    },
  ]);
});

test('the totals count every trial once and never mix errored with failed', async () => {
  const { run, totals, targets } = await results(rows);
  const { digests, ...identity } = manifest;
  const named = manifest.targets.map((target) => ({ ...target, digest: digests[target.digest] }));
  expect(run).toEqual({ ...identity, targets: named });
  expect(totals).toEqual({
    counts: { total: 7, passed: 3, failed: 2, errored: 1, skipped: 1, cancelled: 0 },
    byStatus: {
      passed: 2,
      failed: 1,
      errored: 1,
      skipped: 1,
      cancelled: 0,
      'expected-failed': 1,
      'unexpected-passed': 1,
    },
    erroredBy: { 'target/timeout': 1 },
    skippedBy: { draft: 1 },
    passRate: {
      value: 0.6,
      passed: 3,
      measured: 5,
      ifErroredFailed: 0.5,
      ifErroredPassed: 0.666666667,
      interval: { lower: 0.230724281, upper: 0.882379226 },
    },
    firstAttemptPassRate: {
      value: 0.6,
      passed: 3,
      measured: 5,
      ifErroredFailed: 0.5,
      ifErroredPassed: 0.666666667,
      interval: { lower: 0.230724281, upper: 0.882379226 },
    },
    retried: 1,
    simulatorError: { value: null, flagged: 0, simulated: 0 },
    outcomes: { asked: 0, held: 0 },
    score: { mean: 0.684, n: 5 },
    usage: { agent: { inputTokens: 600, outputTokens: 120, totalTokens: 720 } },
    costUsd: {
      agent: { knownUsd: 0.036, known: 3, unknown: 2 },
      user: { knownUsd: 0, known: 0, unknown: 0 },
      judge: { knownUsd: 0, known: 0, unknown: 0 },
    },
    casePassRate: { value: 0.6, cases: 5 },
    durationMs: { n: 5, p50: 2000, p95: null, max: 2000, mean: 2000 },
    latencyMs: { n: 5, p50: 1500, p95: null, max: 1500, mean: 1500 },
  });
  expect(targets.map(({ name, counts }: { name: string; counts: object }) => [name, counts])).toEqual([
    ['support-bot', { total: 4, passed: 1, failed: 2, errored: 1, skipped: 0, cancelled: 0 }],
    ['baseline', { total: 3, passed: 2, failed: 0, errored: 0, skipped: 1, cancelled: 0 }],
  ]);
});

test('a case is what the worst of its repetitions is', async () => {
  const { cases, totals } = await results([
    row(),
    row({ repetition: 2, verdict: 'failed', score: 0.2 }),
    row({ repetition: 3, verdict: 'errored' }),
    row({ caseId: 'constructor' }),
  ]);
  expect(cases).toEqual([
    {
      suite: 'evals/refunds.eval.yaml',
      id: 'greets-by-name',
      target: 'support-bot',
      counts: { passed: 1, failed: 1, errored: 1 },
      passed: false,
      status: 'failed',
    },
    expect.objectContaining({ id: 'constructor', passed: true, status: 'passed' }),
  ]);
  expect(totals.casePassRate).toEqual({ value: 0.75, cases: 2 });
});

test('what was not measured is in no rate: neither of the trials, nor of the cases, nor in the score', async () => {
  const of = (caseId: string, verdict: Row['verdict'], repetition: number, score: number | null) =>
    row({ caseId, verdict, status: verdict, passed: verdict === 'passed', repetition, score });
  const { totals } = await results([
    of('A', 'passed', 1, 0.8),
    of('A', 'passed', 2, 0.9),
    of('A', 'failed', 3, 0.4),
    of('B', 'passed', 1, 0.9),
    of('B', 'errored', 2, null),
    of('B', 'skipped', 3, null),
  ]);
  expect(totals).toMatchObject({
    counts: { total: 6, passed: 3, failed: 1, errored: 1, skipped: 1, cancelled: 0 },
    passRate: { value: 0.75, passed: 3, measured: 4, ifErroredFailed: 0.6, ifErroredPassed: 0.8 },
    casePassRate: { value: 0.833333333, cases: 2 },
    score: { mean: 0.75, n: 4 },
  });
});

test('a case that was expected to fail is counted by status too', async () => {
  const { cases } = await results([
    row({ status: 'unexpected-passed', passed: false }),
    row({ repetition: 2, verdict: 'failed', status: 'expected-failed', passed: true }),
  ]);
  expect(cases).toMatchObject([
    { counts: { passed: 1, failed: 1 }, statuses: { 'unexpected-passed': 1, 'expected-failed': 1 } },
  ]);
});

test('a run without a trial has rates of null, never of 0', async () => {
  const { totals, targets, cases } = await results([]);
  expect(totals.passRate).toEqual({
    value: null,
    passed: 0,
    measured: 0,
    ifErroredFailed: null,
    ifErroredPassed: null,
    interval: null,
  });
  expect([targets, cases]).toEqual([[], []]);
});

test('only the owner can read the file', async () => {
  await results(rows);
  expect((await stat(join(directory, 'results.json'))).mode & 0o777).toBe(0o600);
});
