import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { outcomeOfLine } from './outcome-rows.ts';

/** Texts that look like what the reader looks for. */
const text = fc.oneof(
  fc.string(),
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
  ),
);
const grade = fc.record(
  {
    name: text,
    type: fc.constant('contains'),
    score: fc.constant(1),
    reason: text,
    evidence: fc.array(fc.record({ text, passed: fc.boolean() }), { maxLength: 2 }),
    members: fc.constant([{ name: 'member', digest: 99 }]),
    details: fc.dictionary(text, fc.oneof(text, fc.constant([{ digest: 98, output: [] }]))),
    digest: fc.nat({ max: 5 }),
  },
  { requiredKeys: ['name', 'type', 'score', 'reason'] },
);
const row = fc
  .tuple(text, text, fc.array(grade, { maxLength: 4 }), fc.oneof(text, fc.constant(null)), fc.array(text))
  .map(([suite, caseId, grades, output, tags]) => ({
    suite,
    caseId,
    attempts: [{ error: { message: caseId }, durationMs: 3 }],
    verdict: 'passed',
    fallenGates: [suite],
    grades,
    output,
    durationMs: 5,
    usage: { agent: { totalTokens: 3 } },
    tags,
    digests: { case: 1, target: 2 },
    notes: tags,
  }));

test('whatever its texts are, a line says the same as the row read whole', () => {
  fc.assert(
    fc.property(row, (written) => {
      const { grades, output: _output, ...rest } = written;
      const graders = new Set(grades.flatMap(({ digest }) => (digest === undefined ? [] : [digest])));
      expect(outcomeOfLine(JSON.stringify(written))).toEqual({ ...rest, graders: [...graders] });
    }),
    { numRuns: 500 },
  );
});

test('a line with its keys in another order is read whole', () => {
  const line = '{"output":"x","grades":[{"digest":3},{"digest":3}],"caseId":"a"}';
  expect(outcomeOfLine(line)).toMatchObject({ caseId: 'a', graders: [3] });
});
