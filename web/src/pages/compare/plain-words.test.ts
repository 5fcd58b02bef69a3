import { expect, test } from 'vitest';

import type { MovedCase, RunComparison, TargetComparison } from '../../../../src/core/run-comparison.ts';
import { explainedWords, plainWords } from './plain-words.ts';

const moved = (count: number) => Array.from({ length: count }, () => ({}) as MovedCase);
const compared = (
  verdict: TargetComparison['verdict'],
  { worse = 0, better = 0, pairs = 1 }: { worse?: number; better?: number; pairs?: number } = {},
) => {
  const result = { pairs } as TargetComparison['result'];
  return { verdict, result, worse: moved(worse), better: moved(better) };
};

test('a comparison says in plain words which way it went, and has the verdict of the sentence', () => {
  expect([
    plainWords(compared('improved', { better: 9, worse: 1 })),
    plainWords(compared('regressed', { worse: 9 })),
    plainWords(compared('equivalent')),
    plainWords(compared('invalid')),
    plainWords(compared('inconclusive', { better: 1 })),
    plainWords(compared('inconclusive', { worse: 2, pairs: 3 })),
    plainWords(compared('inconclusive', { worse: 1, better: 1, pairs: 3 })),
    plainWords(compared('inconclusive')),
  ]).toEqual([
    'Improved: 9 cases better, 1 case worse. Chance alone hardly explains this.',
    'Regressed: 0 cases better, 9 cases worse. Chance alone hardly explains this.',
    'Equivalent, no difference that matters: 0 cases better, 0 cases worse.',
    'Invalid: these two sides cannot be compared.',
    'Better, but inconclusive: 1 case better, 0 cases worse, of 1 case compared. That can be chance.',
    'Worse, but inconclusive: 0 cases better, 2 cases worse, of 3 cases compared. That can be chance.',
    'Inconclusive: 1 case better, 1 case worse, of 3 cases compared. That can be chance.',
    'Inconclusive: no case changed, of 1 case compared. A small difference is still possible.',
  ]);
});

test('units and numbers of the sentence are explained', () => {
  const of = (sentence: string, on: 'score' | 'passed') =>
    explainedWords({
      sentence,
      options: { on, alpha: 0.05, margin: 0.05, across: [] },
      comparisons: [compared('inconclusive')] as unknown as RunComparison['comparisons'],
    });
  expect(
    of('inconclusive: p = 1; a change of 5 points would be seen with about 150 cases', 'passed'),
  ).toEqual([
    'A “point” is 1 of 100: from 50 % to 60 % passed is 10 points.',
    '“p” is how often chance alone would give such a difference: below 0.05, a single comparison counts as real.',
    'The last number of cases is how many would be needed; 1 was compared.',
  ]);
  expect(of('equivalent: nothing', 'score')).toEqual([
    'A “point” is 1 hundredth of the score: from 0.5 to 0.6 is 10 points.',
  ]);
});
