import * as fc from 'fast-check';

import type { Row } from '../../src/core/run.ts';
import type { Status, Verdict } from '../../src/core/verdict.ts';
import { rowOf } from '../../src/storage/run-directory/fixtures/runs.ts';

const VERDICTS: Readonly<Record<Status, Verdict>> = {
  passed: 'passed',
  failed: 'failed',
  errored: 'errored',
  skipped: 'skipped',
  cancelled: 'cancelled',
  'expected-failed': 'failed',
  'unexpected-passed': 'passed',
};

const share = fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs);
const words = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.constantFrom('"verdict":"passed"', '","status":"errored","passed":true', 'line\nline', '\u2028', '\\"'),
);

const row: fc.Arbitrary<Row> = fc
  .record({
    caseId: words,
    target: fc.constantFrom('t', 'other "t"'),
    repetition: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom(...(Object.keys(VERDICTS) as Status[])),
    score: fc.option(share),
    threshold: share,
    output: fc.option(words),
    tags: fc.array(words, { maxLength: 2 }),
    latency: fc.option(fc.array(fc.nat(), { maxLength: 2 })),
    terms: fc.option(fc.nat()),
    tokens: fc.option(fc.nat()),
    costUsd: fc.option(share),
    weights: fc.array(fc.record({ weight: share, name: words, passed: fc.boolean() }), { maxLength: 2 }),
  })
  .map(({ caseId, status, latency, terms, tokens, costUsd, weights, ...rest }) =>
    rowOf(caseId, {
      ...rest,
      status,
      verdict: VERDICTS[status],
      passed: status === 'passed' || status === 'expected-failed',
      ...(latency === null ? {} : { latency }),
      digests: { case: 0, target: 0, ...(terms === null ? {} : { terms }) },
      usage: tokens === null ? {} : { agent: { inputTokens: tokens, outputTokens: 0, totalTokens: tokens } },
      costUsd: { agent: costUsd },
      grades: weights.map(({ weight, name, passed }) => ({
        name,
        type: 'contains',
        score: passed ? 1 : 0,
        passed,
        weight,
        reason: name,
        durationMs: 1,
      })),
    }),
  );

/** Rows of trials that differ, with texts in them that look like rows. */
export const rowLists: fc.Arbitrary<readonly Row[]> = fc.uniqueArray(row, {
  maxLength: 8,
  selector: ({ caseId, target, repetition }) => JSON.stringify([caseId, target, repetition]),
});
