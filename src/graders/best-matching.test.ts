import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { bestPairs, bestSubsequence, type Pair } from './best-matching.ts';

const table = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
  .chain(([rows, columns]) =>
    fc.array(fc.array(fc.constantFrom(0, 0, 1, 2), { minLength: columns, maxLength: columns }), {
      minLength: rows,
      maxLength: rows,
    }),
  );

describe('bestPairs', () => {
  test('gives up a good pair for a better whole', () => {
    const worths = [
      [1, 1],
      [1, 0],
    ];
    expect(bestPairs(2, 2, (row, column) => worths[row]?.[column] ?? 0)).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  test('is never worse than any matching that brute force finds', () => {
    fc.assert(
      fc.property(table, (worths) => {
        const [worth, columns] = [
          (row: number, column: number) => worths[row]?.[column] ?? 0,
          worths[0]?.length ?? 0,
        ];
        const pairs = bestPairs(worths.length, columns, worth);
        expect(new Set(pairs.map(([row]) => row)).size).toBe(pairs.length);
        expect(new Set(pairs.map(([, column]) => column)).size).toBe(pairs.length);
        expect(pairs.every(([row, column]) => worth(row, column) > 0)).toBe(true);
        expect(total(pairs, worth)).toBe(bruteForce(worths, 0, new Set()));
      }),
      { numRuns: 500 },
    );
  });

  test('asks once what each pair is worth, also of long trajectories', () => {
    let asked = 0;
    const worth = (row: number, column: number) => {
      asked += 1;
      return column % 100 === row ? 1 : 0;
    };
    expect(bestPairs(100, 1000, worth)).toHaveLength(100);
    expect(asked).toBe(100_000);
  });
});

describe('bestSubsequence', () => {
  test('skips a call that would block the rest', () => {
    const [expected, actual] = ['abc', 'bca'];
    expect(bestSubsequence(3, 3, (row, column) => (expected[row] === actual[column] ? 1 : 0))).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });

  test('is never worse than any common subsequence that brute force finds', () => {
    fc.assert(
      fc.property(table, (worths) => {
        const [worth, columns] = [
          (row: number, column: number) => worths[row]?.[column] ?? 0,
          worths[0]?.length ?? 0,
        ];
        const pairs = bestSubsequence(worths.length, columns, worth);
        for (const [index, [row, column]] of pairs.entries()) {
          const [rowBefore, columnBefore] = pairs[index - 1] ?? [-1, -1];
          expect([row > rowBefore, column > columnBefore, worth(row, column) > 0]).toEqual([
            true,
            true,
            true,
          ]);
        }
        expect(total(pairs, worth)).toBe(bruteForceAscending(worths, 0, 0));
      }),
      { numRuns: 500 },
    );
  });
});

function total(pairs: readonly Pair[], worth: (row: number, column: number) => number): number {
  return pairs.reduce((sum, [row, column]) => sum + worth(row, column), 0);
}

function bruteForce(worths: readonly (readonly number[])[], row: number, taken: ReadonlySet<number>): number {
  const line = worths[row];
  if (line === undefined) return 0;
  let best = bruteForce(worths, row + 1, taken);
  for (const [column, worth] of line.entries()) {
    if (worth === 0 || taken.has(column)) continue;
    best = Math.max(best, worth + bruteForce(worths, row + 1, new Set([...taken, column])));
  }
  return best;
}

function bruteForceAscending(worths: readonly (readonly number[])[], row: number, from: number): number {
  const line = worths[row];
  if (line === undefined) return 0;
  let best = bruteForceAscending(worths, row + 1, from);
  for (let column = from; column < line.length; column++) {
    const worth = line[column] ?? 0;
    if (worth > 0) best = Math.max(best, worth + bruteForceAscending(worths, row + 1, column + 1));
  }
  return best;
}
