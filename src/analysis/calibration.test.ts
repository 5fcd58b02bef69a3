import { describe, expect, test } from 'vitest';

import { seededRandom } from '../lib/random.ts';
import { agreementOf, correctedRate, kappaValue, type Pair } from './calibration.ts';

/** Each of another case, or `times` of each case. */
const pairs = (counts: readonly [number, number, number, number], times = 1): readonly Pair[] =>
  (
    [
      [true, true],
      [true, false],
      [false, false],
      [false, true],
    ] as const
  ).flatMap(([grader, person], i) =>
    Array.from({ length: counts[i] ?? 0 }, (__, n) => ({
      case: `${i} ${Math.floor(n / times)}`,
      grader,
      person,
    })),
  );

describe('kappa', () => {
  test.each([
    ['the textbook example', [20, 5, 15, 10], 0.4],
    ['perfect agreement', [10, 0, 10, 0], 1],
    ['chance', [25, 25, 25, 25], 0],
    ['perfect disagreement', [0, 10, 0, 10], -1],
  ] as const)('%s', (_, [truePasses, falsePasses, trueFails, falseFails], kappa) => {
    expect(kappaValue({ truePasses, falsePasses, trueFails, falseFails })).toBeCloseTo(kappa, 12);
  });

  test('95 % agreement on skewed labels is far from perfect', () => {
    const kappa = kappaValue({ truePasses: 90, falsePasses: 2, trueFails: 5, falseFails: 3 });
    expect(kappa).toBeCloseTo(0.6401, 3);
  });

  test('one class alone says nothing', () => {
    expect(agreementOf(pairs([10, 0, 0, 0]), 1)).toMatchObject({ specificity: null, kappa: null });
    expect(agreementOf(pairs([10, 0, 0, 2]), 1)).toMatchObject({ specificity: null, kappa: null });
  });

  test('the interval holds the value, is never of zero width, and narrows with labels', () => {
    const few = agreementOf(pairs([10, 0, 10, 0]), 1).kappa;
    const many = agreementOf(pairs([200, 0, 200, 0]), 1).kappa;
    if (few === null || many === null) throw new Error('no kappa');
    expect(few).toMatchObject({ value: 1, upper: 1 });
    expect(few.lower).toBeLessThan(0.85);
    expect(many.lower).toBeGreaterThan(0.95);
    expect(agreementOf(pairs([10, 0, 10, 0]), 1).kappa).toEqual(few);
  });
});

describe('the interval of kappa on few verdicts', () => {
  test.each([
    ['two of four right', pairs([1, 1, 1, 1]), 1],
    ['two verdicts', pairs([1, 0, 1, 0]), 1.2],
    ['many verdicts of one case', pairs([5, 5, 5, 5]).map((pair) => ({ ...pair, case: 'one' })), 1],
  ])('%s: hardly anything is known', (_, few, width) => {
    const { kappa } = agreementOf(few, 1);
    if (kappa === null) throw new Error('no kappa');
    expect(kappa.upper - kappa.lower).toBeGreaterThan(width);
  });

  test.each([
    [8, 0.85],
    [20, 0.75],
    [60, 0.9],
    [200, 0.6],
  ])('of %d verdicts that are right with %d covers the true kappa', (verdicts, right) => {
    const random = seededRandom(11);
    const truth = 2 * right - 1;
    const runs = 300;
    let covered = 0;
    let measured = 0;
    for (let run = 0; run < runs; run++) {
      const drawn = Array.from({ length: verdicts }, (__, n) => {
        const person = random() < 0.5;
        return { case: `${n}`, person, grader: random() < right ? person : !person };
      });
      const { kappa } = agreementOf(drawn, run);
      if (kappa === null) continue;
      measured += 1;
      if (kappa.lower <= truth && truth <= kappa.upper) covered += 1;
    }
    expect(covered / measured).toBeGreaterThanOrEqual(0.92);
  });
});

test('sensitivity and specificity come with Wilson intervals', () => {
  expect(agreementOf(pairs([45, 5, 20, 5]), 1)).toMatchObject({
    pairs: 75,
    sensitivity: { value: 0.9, lower: expect.closeTo(0.7864, 4), upper: expect.closeTo(0.9565, 4) },
    specificity: { value: 0.8, lower: expect.closeTo(0.6087, 4), upper: expect.closeTo(0.9114, 4) },
  });
});

test('verdicts on one case count about as one', () => {
  const once = agreementOf(pairs([9, 1, 8, 2]), 1);
  const repeated = agreementOf(pairs([90, 10, 80, 20], 10), 1);
  expect(repeated).toEqual({
    ...once,
    pairs: 200,
    truePasses: 90,
    falsePasses: 10,
    trueFails: 80,
    falseFails: 20,
  });
  expect(repeated.effective).toEqual({ passed: 11, failed: 9 });
  const uneven = agreementOf([...pairs([5, 0, 5, 0]), ...pairs([40, 0, 0, 0], 40)], 1);
  expect(uneven.effective.passed).toBeCloseTo(45 ** 2 / (41 ** 2 + 4), 9);
  const two = agreementOf(pairs([26, 0, 26, 0], 26), 1);
  expect([two.kappa?.value, two.kappa?.lower]).toEqual([1, expect.any(Number)]);
  expect(two.kappa?.lower).toBeLessThan(0.1);
  const trusted = { hits: 40, trials: 100, effective: 10 };
  const [few, many] = [correctedRate(trusted, repeated), correctedRate({ hits: 40, trials: 100 }, repeated)];
  expect(few?.value).toBe(many?.value);
  expect(few?.observedInterval).toEqual({ lower: 0.16818033, upper: 0.68732623 });
});

describe('the corrected rate', () => {
  const trusted = { truePasses: 90, falseFails: 10, trueFails: 80, falsePasses: 20 };

  test.each([
    [70, 0.714],
    [80, 0.857],
  ])('%d of 100 becomes %d', (hits, value) => {
    expect(correctedRate({ hits, trials: 100 }, trusted)?.value).toBeCloseTo(value, 3);
  });

  test('is clipped, and its interval is wider than that of the observed rate', () => {
    expect(correctedRate({ hits: 98, trials: 100 }, trusted)?.value).toBe(1);
    const corrected = correctedRate({ hits: 70, trials: 100 }, trusted);
    if (corrected === null) throw new Error('no rate');
    const { lower, upper } = corrected.observedInterval;
    expect(corrected.upper - corrected.lower).toBeGreaterThan(upper - lower);
  });

  test('a grader no better than a coin corrects nothing', () => {
    const coin = { truePasses: 5, falseFails: 5, trueFails: 5, falsePasses: 5 };
    expect(correctedRate({ hits: 5, trials: 10 }, coin)).toBe(null);
    expect(correctedRate({ hits: 5, trials: 10 }, { ...coin, truePasses: 0, falseFails: 0 })).toBe(null);
    expect(correctedRate({ hits: 0, trials: 0 }, trusted)).toBe(null);
  });

  test.each([
    [0.8, 0.9, 0.85],
    [0.5, 0.95, 0.7],
    [0.95, 0.85, 0.9],
    [0.3, 1, 1],
  ])('covers the true rate %d with sensitivity %d and specificity %d', (rate, sensitivity, specificity) => {
    const random = seededRandom(5);
    const binomial = (trials: number, p: number): number =>
      Array.from({ length: trials }, () => random() < p).filter(Boolean).length;
    const runs = 1000;
    let covered = 0;
    for (let run = 0; run < runs; run++) {
      const truePasses = binomial(60, sensitivity);
      const trueFails = binomial(40, specificity);
      const hits = binomial(100, rate * sensitivity + (1 - rate) * (1 - specificity));
      const cells = { truePasses, falseFails: 60 - truePasses, trueFails, falsePasses: 40 - trueFails };
      const found = correctedRate({ hits, trials: 100 }, cells);
      if (found !== null && found.lower <= rate && rate <= found.upper) covered += 1;
    }
    expect(covered / runs).toBeGreaterThanOrEqual(0.93);
  });
});
