import { expect, test } from 'vitest';

import { graderDifferences, type GradedCase } from './grader-differences.ts';

const judged = { type: 'llm_judge', model: 'a/b-1', details: { judge: 'a/b', promptDigest: 'p' } };

const graded = (grades: readonly Partial<GradedCase['grades'][number]>[], digests: readonly string[]) =>
  ({
    digests,
    grades: grades.map((grade) => ({ name: 'good', type: 'contains', weight: 1, ...grade })),
  }) as GradedCase;

test.each([
  ['nothing', { digest: 0 }, { digest: 0 }, ['same'], ['same'], []],
  [
    'a grader of another type and threshold',
    { digest: 0, threshold: 0.8 },
    { digest: 0, type: 'equals', threshold: 1 },
    ['one'],
    ['two'],
    ['good: type contains, then equals, threshold 0.8, then 1'],
  ],
  [
    'another judge and prompt',
    { ...judged, digest: 0 },
    { ...judged, model: 'a/c', details: { judge: 'a/c', promptDigest: 'q' }, digest: 1 },
    ['one'],
    ['x', 'two'],
    ['good: judge a/b, then a/c, model that answered a/b-1, then a/c, a different prompt'],
  ],
  [
    'what a grade counts',
    { digest: 0, weight: 2 },
    { digest: 0, required: 0.8 },
    ['same'],
    ['same'],
    ['good: weight 2, then 1, required none, then 0.8'],
  ],
  [
    'what no grade tells',
    { ...judged, digest: 0 },
    { ...judged, digest: 0 },
    ['one'],
    ['two'],
    ['good: its settings, its judge, its files or its version'],
  ],
  [
    'a grader more',
    { digest: 0 },
    { name: 'kind', digest: 0 },
    ['one'],
    ['two'],
    ['good: only in the base', 'kind: only in the candidate'],
  ],
] as const)('%s differs', (_, left, right, before, after, told) => {
  expect(graderDifferences(graded([left], before), graded([right], after))).toEqual(told);
});

test('the parts of one grader are reported as one', () => {
  const parts = (digest: string) =>
    graded(
      [
        { name: 'r', digest: 0 },
        { name: 'r/a', digest: 0 },
      ],
      [digest],
    );
  expect(graderDifferences(parts('one'), parts('two'))).toEqual([
    'r: its settings, its judge, its files or its version',
  ]);
});
