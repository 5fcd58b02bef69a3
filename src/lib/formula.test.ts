import { assert, constantFrom, integer, letrec, oneof, property, string, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readFormula } from './formula.ts';

const VALUES: Readonly<Record<string, number>> = { a: 0.5, b: 0.25, 'tool use': 1, zero: 0 };

function valueOf(text: string): number | string | undefined {
  const formula = readFormula(text);
  return 'message' in formula ? formula.message : formula.value((name) => VALUES[name]);
}

describe('readFormula', () => {
  test.each<readonly [string, number | undefined]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['8 / 4 / 2', 1],
    ['1 - 2 - 3', -4],
    ['-a * -2', 1],
    ['2*a*b/(a+b)', 1 / 3],
    ["'tool use' + .5e1", 6],
    ['"tool use"', 1],
    ['a / zero', undefined],
    ['a / (b - b)', undefined],
    ['a + unknown', undefined],
    ['1e300 * 1e300', undefined],
  ])('%s', (text, value) => {
    const found = valueOf(text);
    expect(typeof found === 'number' ? found.toFixed(9) : found).toBe(value?.toFixed(9));
  });

  test.each([
    ['', 'ends too early'],
    ['a +', 'ends too early'],
    ['(a', 'a `(` is not closed'],
    ['a b', 'unexpected "b"'],
    ['a)', 'unexpected ")"'],
    ['* a', 'unexpected "*"'],
    ['a ** b', 'unexpected "*"'],
    ['process.exit()', 'unexpected "."'],
    ['a[0]', 'unexpected "["'],
    ["'a", 'unexpected "\'"'],
    ['a / 0', 'divides by zero'],
    ['a / (2 - 2)', 'divides by zero'],
    ['('.repeat(2000), 'longer than 1000 characters'],
  ])('%j is not a formula', (text, message) => {
    expect(valueOf(text)).toBe(message);
  });

  test('names each metric once', () => {
    const formula = readFormula("a * 'tool use' + a");
    expect('names' in formula && formula.names).toEqual(['a', 'tool use']);
  });

  test('agrees with arithmetic', () => {
    const { sum } = letrec<{ sum: { text: string; value: number } }>((tie) => ({
      sum: oneof(
        { maxDepth: 4 },
        integer({ min: 0, max: 99 }).map((value) => ({ text: String(value), value })),
        tuple(tie('sum'), constantFrom(...SIGNS), tie('sum')).map(([left, [sign, join], right]) => ({
          text: `(${left.text} ${sign} ${right.text})`,
          value: join(left.value, right.value),
        })),
      ),
    }));
    assert(property(sum, ({ text, value }) => void expect(valueOf(text)).toBe(value)));
  });

  test('reads any text without an exception', () => {
    assert(property(string(), (text) => void expect(readFormula(text)).toBeDefined()));
  });
});

type Join = (left: number, right: number) => number;

const SIGNS: readonly (readonly [string, Join])[] = [
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
];
