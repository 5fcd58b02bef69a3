import { expect, test } from 'vitest';

import { comparisonSentence } from '../../src/analysis/comparison-sentence.ts';
import type { CaseComparison, PairedResult } from '../../src/core/run-comparison.ts';
import { hasTooFewCases } from '../../web/src/pages/compare/too-few-cases.ts';

const comparison = (pairs: number, targets: number) => {
  const interval = { lower: 0, upper: 0 };
  const counts = { informative: 0, worse: 0, better: 0, unequal: 0 };
  const measured = { difference: 0, interval, p: 1, draws: 'all', level: 0.05 / targets, smallestSeen: null };
  const result = { verdict: 'inconclusive', pairs, ...counts, ...measured } as PairedResult;
  return {
    verdict: 'inconclusive',
    reasons: [],
    result,
    verdicts: null,
    onlyInBase: [],
    onlyInCandidate: [],
  };
};

test.each([
  [5, 1, true],
  [6, 1, false],
  [6, 2, true],
  [7, 2, false],
  [7, 5, true],
])(
  'with %i cases and %i targets, page and sentence agree that there are too few: %s',
  (pairs, targets, tooFew) => {
    const compared = comparison(pairs, targets) as unknown as CaseComparison;
    const sentence = comparisonSentence(compared, { margin: 0.05, targets });
    expect([hasTooFewCases(compared), sentence.includes('are needed to see any change')]).toEqual([
      tooFew,
      tooFew,
    ]);
  },
);

test('a comparison with a result, or without any, has no lack of cases', () => {
  const { result } = comparison(3, 1);
  expect([
    hasTooFewCases({ verdict: 'equivalent', result }),
    hasTooFewCases({ verdict: 'invalid', result: null }),
  ]).toEqual([false, false]);
});
