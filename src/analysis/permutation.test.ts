import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { permutation, type UnequalPair } from './permutation.ts';
import { signFlip } from './sign-flip.ts';

const mean = (list: ArrayLike<number>) =>
  Array.from(list).reduce((sum, value) => sum + value, 0) / list.length;

const cases = (sides: readonly (readonly [readonly number[], readonly number[]])[]) => ({
  differences: Float64Array.from(sides, ([base, candidate]) => mean(candidate) - mean(base)),
  unequal: sides.flatMap(([base, candidate], at): UnequalPair[] =>
    base.length === candidate.length ? [] : [{ at, base, candidate }],
  ),
});

test('with equally many trials everywhere it is the sign-flip test', () => {
  const differences = Float64Array.of(-1, -1, -1, 1, 0, 0.5);
  expect(permutation(differences, [])).toEqual({ ...signFlip(differences), chance: null });
});

describe('golden values', () => {
  test('one case: 1 of 3 fails there, the only one fails here, which 2 of 4 draws do', () => {
    const { differences, unequal } = cases([[[1, 1, 0], [0]]]);
    const { p, draws, chance } = permutation(differences, unequal);
    expect([p, draws]).toEqual([1, 'all']);
    expect(chance?.lower).toBeCloseTo(-2 / 3, 12);
    expect(chance?.upper).toBeCloseTo(2 / 3, 12);
  });

  test('two cases that pass once and then fail four times: each such split has a chance of 1 in 5', () => {
    const fall = [[1], [0, 0, 0, 0]] as const;
    const { differences, unequal } = cases([fall, fall]);
    expect(permutation(differences, unequal)).toMatchObject({ p: 2 / 25, draws: 'all' });
    const three = cases([fall, fall, fall]);
    expect(permutation(three.differences, three.unequal)).toMatchObject({ p: 2 / 125, draws: 'all' });
  });

  test('a case whose trials all agree says nothing, however many they are', () => {
    const { differences, unequal } = cases([
      [[1], [1, 1, 1]],
      [[0, 0], [0]],
    ]);
    expect(permutation(differences, unequal)).toEqual({
      p: 1,
      draws: 'all',
      chance: { lower: 0, upper: 0 },
    });
  });

  test('cases with equal numbers of trials flip signs, while others are drawn again', () => {
    const { differences, unequal } = cases([
      [[1], [0]],
      [[1], [0, 0, 0, 0]],
    ]);
    expect(permutation(differences, unequal)).toMatchObject({ p: 2 / 10, draws: 'all' });
  });
});

test('the exact p is that of going through every arrangement', () => {
  const value = fc.integer({ min: 0, max: 5 }).map((fifths) => fifths / 5);
  const side = fc.array(value, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(side, side), { minLength: 1, maxLength: 3 }), (sides) => {
      const { differences, unequal } = cases(sides);
      if (unequal.length === 0) return;
      expect(permutation(differences, unequal, 100_000).p).toBeCloseTo(byEveryArrangement(sides), 12);
    }),
    { numRuns: 300 },
  );
});

test('counted and drawn arrangements agree, looked up or one by one, and draws are the same every time', () => {
  const sides = Array.from({ length: 3 }, (_, i) => {
    const values = Array.from({ length: 14 }, (__, j) => ((i * 5 + j * 7) % 13) / 13);
    return [values.slice(0, 4), values.slice(4).map((score) => score - 0.1)] as const;
  });
  const { differences, unequal } = cases(sides.slice(0, 1));
  const counted = permutation(differences, unequal);
  const drawn = permutation(differences, unequal, 1000);
  expect([counted.draws, drawn.draws]).toEqual(['all', 1000]);
  expect(Math.abs(counted.p - drawn.p)).toBeLessThan(0.06);
  const long = cases(sides.map(([base, candidate]) => [[...base, ...base], candidate] as const));
  expect(permutation(long.differences, long.unequal)).toEqual(permutation(long.differences, long.unequal));
});

test('thousands of cases follow the normal law', () => {
  const sides = Array.from(
    { length: 2400 },
    (_, i) => [[i % 3 === 0 ? 0 : 1], [1, i % 4 === 0 ? 0 : 1]] as const,
  );
  const all = cases(sides);
  const some = cases(sides.slice(0, 1800));
  const [law, drawn] = [
    permutation(all.differences, all.unequal),
    permutation(some.differences, some.unequal),
  ];
  const width = ({ chance }: typeof law, count: number) =>
    ((chance?.upper ?? 0) - (chance?.lower ?? 0)) * Math.sqrt(count);
  expect(Math.abs(width(law, 2400) / width(drawn, 1800) - 1)).toBeLessThan(0.05);
});

function byEveryArrangement(sides: readonly (readonly [readonly number[], readonly number[]])[]): number {
  const total = sides.reduce((sum, [base, candidate]) => sum + mean(candidate) - mean(base), 0);
  if (Math.abs(total) < 1e-9) return 1;
  let sums = [0];
  for (const [base, candidate] of sides) {
    const isEqual = base.length === candidate.length;
    const difference = mean(candidate) - mean(base);
    const ways = isEqual ? [difference, -difference] : everySplit([...base, ...candidate], base.length);
    sums = sums.flatMap((sum) => ways.map((way) => sum + way));
  }
  const extreme = sums.filter((sum) => Math.sign(total) * sum >= Math.abs(total) - 1e-9).length;
  return Math.min(1, (2 * extreme) / sums.length);
}

function everySplit(values: readonly number[], few: number): number[] {
  const differences: number[] = [];
  for (let pattern = 0; pattern < 2 ** values.length; pattern++) {
    const base = values.filter((_, i) => (pattern >> i) & 1);
    if (base.length === few)
      differences.push(mean(values.filter((_, i) => !((pattern >> i) & 1))) - mean(base));
  }
  return differences;
}
