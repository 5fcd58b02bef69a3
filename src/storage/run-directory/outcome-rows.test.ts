import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { outcomeOfRow } from '../../core/row-outcome.ts';
import type { Row } from '../../core/run.ts';
import { outcomeReader } from './outcome-line.ts';

const outcomeOfLine = (line: string) => outcomeReader()(Buffer.from(line));

/** About as long as what is looked through byte by byte. */
const long = fc
  .tuple(fc.integer({ min: 118, max: 132 }), fc.stringMatching(/^[\\\\"é]{0,6}$/))
  .map(([length, last]) => `${'x'.repeat(length)}${last}`);
/** Texts that look like what the reader looks for. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  long,
  fc.constantFrom(
    ',"grades":[',
    '],"output":',
    ',"durationMs":5',
    '"digest":7',
    '\\',
    '\\"',
    '"',
    '],"output":"x","durationMs":1',
    '"members":',
    '"weight":3',
  ),
);
const grade = fc.record(
  {
    name: text,
    type: fc.constant('contains'),
    score: fc.constant(1),
    weight: fc.constantFrom(0, 1, 2.5),
    required: fc.constantFrom(0.8, 1),
    reason: text,
    evidence: fc.array(fc.record({ text, passed: fc.boolean() }), { maxLength: 2 }),
    members: fc.constant([{ name: 'member', digest: 99 }]),
    details: fc.dictionary(text, fc.oneof(text, fc.constant([{ digest: 98, output: [] }]))),
    digest: fc.nat({ max: 5 }),
  },
  { requiredKeys: ['name', 'type', 'score', 'weight', 'reason'] },
);
const usage = fc.constantFrom(
  {},
  { agent: { inputTokens: 1, totalTokens: 31 } },
  { agent: { inputTokens: 1, totalTokens: 31 }, judge: { inputTokens: 1, totalTokens: 7 } },
);
const costUsd = fc.constantFrom({}, { agent: 0.25 }, { agent: 1e-7, judge: 2 }, { agent: null });
const end = fc.constantFrom(
  {},
  { latency: [1, 2.5], end: { by: 'script' } },
  { latency: [], notes: [',"latency":[3]'] },
);
const mocks = fc.constantFrom({}, { terms: 4 }, { terms: 4, mocks: 9 });
const row = fc
  .tuple(
    fc.tuple(fc.constantFrom('s', 's"'), fc.oneof(fc.constant('plain'), text), fc.constant('t'), text),
    fc.tuple(fc.array(grade, { maxLength: 4 }), fc.oneof(text, fc.constant(null)), fc.array(text)),
    fc.tuple(fc.constantFrom(null, 0, 0.3333, 1), usage, costUsd, end, mocks),
  )
  .map(([[suite, caseId, target, message], [grades, output, tags], [score, used, cost, more, mocked]]) => ({
    suite,
    caseId,
    target,
    repetition: 1,
    attempts: [{ error: { message }, durationMs: 3 }],
    verdict: 'passed',
    status: 'passed',
    score,
    threshold: 0.75,
    fallenGates: [message],
    grades,
    output,
    durationMs: 5,
    usage: used,
    costUsd: cost,
    tags,
    digests: { case: 17, target: 2, ...mocked },
    ...more,
  }));

test('for any texts, the outcome read from a line equals that of the whole row', () => {
  fc.assert(
    fc.property(row, (written) => {
      const expected = outcomeOfRow(written as unknown as Row);
      expect(outcomeOfLine(JSON.stringify(written))).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

test('members may stand in any order; a line that is written otherwise is left to a whole reading', () => {
  const grades = [
    { weight: 1, digest: 4 },
    { weight: 0, required: 0.8, digest: 3 },
    { weight: 2 },
    { weight: 0, required: 1, digest: 4 },
  ];
  const graders = { grades, output: '"', durationMs: 1 };
  const name = { suite: 's', caseId: 'a', target: 't' };
  const outcome = { verdict: 'failed', score: 0.5, threshold: 0.8 };
  const spent = { usage: {}, costUsd: { agent: 0.1 }, digests: { case: 1, target: 0 } };
  const plain = { ...name, ...outcome, ...graders, ...spent };
  const read = { caseDigest: 1, graders: grades, tokens: undefined, costUsd: 0.1 };
  expect(outcomeOfLine(JSON.stringify(plain))).toEqual({ ...name, ...outcome, ...read });
  const elsewhere = { number: 1, ...plain, costUsd: { judge: 1, agent: 0.1 } };
  expect(outcomeOfLine(JSON.stringify(elsewhere))).toEqual({ ...name, ...outcome, ...read });
  expect(outcomeOfLine(JSON.stringify(plain, undefined, 1))).toBeUndefined();
  const { threshold: _, ...lacking } = plain;
  expect(outcomeOfLine(JSON.stringify(lacking))).toBeUndefined();
});

test('a line that was cut at any place is left to a whole reading', () => {
  const line = JSON.stringify({
    suite: 's\\',
    threshold: 1,
    score: null,
    grades: [{ weight: 1 }],
    digests: { case: 1 },
  });
  for (let length = 0; length < line.length; length++) {
    expect(outcomeOfLine(line.slice(0, length))).toBeUndefined();
  }
});
