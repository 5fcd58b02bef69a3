import { expect, test } from 'vitest';

import { reviewerAgreements, type ReviewerVerdict } from './reviewer-agreement.ts';

/** One letter per trial: `p` passed, `f` failed, `-` no verdict. */
function verdictsOf(by: string, letters: string, caseOf = (trial: number) => `c${trial}`): ReviewerVerdict[] {
  return [...letters].flatMap((letter, trial) =>
    letter === '-' ? [] : [{ by, on: `t${trial}`, case: caseOf(trial), passed: letter === 'p' }],
  );
}

test('two people agree by share and kappa where both gave a verdict, those with most first', () => {
  const found = reviewerAgreements([
    ...verdictsOf('cy', '--------pp'),
    ...verdictsOf('bob', 'ppppfffffp'),
    ...verdictsOf('ann', 'pppfffffpp'),
  ]);
  expect(found).toEqual([
    {
      reviewers: ['ann', 'bob'],
      verdicts: 10,
      agreed: 8,
      share: { value: 0.8, lower: 0.490162472, upper: 0.943317849 },
      kappa: { value: expect.closeTo(0.6, 9), lower: expect.any(Number), upper: expect.any(Number) },
    },
    {
      reviewers: ['ann', 'cy'],
      verdicts: 2,
      agreed: 2,
      share: { value: 1, lower: expect.any(Number), upper: 1 },
      kappa: null,
    },
    {
      reviewers: ['bob', 'cy'],
      verdicts: 2,
      agreed: 1,
      share: { value: 0.5, lower: expect.any(Number), upper: expect.any(Number) },
      kappa: null,
    },
  ]);
});

test('the order of the names does not change whether kappa is known', () => {
  const [one] = reviewerAgreements([...verdictsOf('ann', 'pppp'), ...verdictsOf('bob', 'ppff')]);
  const [other] = reviewerAgreements([...verdictsOf('ann', 'ppff'), ...verdictsOf('bob', 'pppp')]);
  expect([one?.kappa, other?.kappa]).toEqual([null, null]);
});

test('verdicts on few cases give a wider interval than as many on many cases', () => {
  const widthOf = (caseOf: (trial: number) => string) => {
    const [pair] = reviewerAgreements([
      ...verdictsOf('ann', 'ppppffffpp', caseOf),
      ...verdictsOf('bob', 'ppppfffffp', caseOf),
    ]);
    return (pair?.share?.upper ?? 0) - (pair?.share?.lower ?? 0);
  };
  expect(widthOf((trial) => `c${trial % 2}`)).toBeGreaterThan(widthOf((trial) => `c${trial}`));
});

test('at most 20 pairs are computed', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  expect(reviewerAgreements(names.flatMap((name) => verdictsOf(name, 'p'))).length).toBe(20);
});
