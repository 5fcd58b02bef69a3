import { describe, expect, test } from 'vitest';

import { lastNumber, numberOf } from './number-text.ts';
import { numeric } from './numeric.ts';
import { findingOf, problemsOf } from './subject.fixture.ts';

describe('the last number', () => {
  test.each([
    ['It is 42.', 42],
    ['first 1, then 2', 2],
    ['-7', -7],
    ['x = -3.5', -3.5],
    ['\u22125 degrees', -5],
    ['+3', 3],
    ['3-7', 7],
    ['page 10 - 12', 12],
    ['2024-01-05', 5],
    ['1,234,567.89', 1234567.89],
    ['1_000', 1000],
    ["1'000.5", 1000.5],
    ['12\u00a0345', 12345],
    ['1,2,3', 3],
    ['2024,365', 365],
    ['1,2345', 2345],
    ['1.234.567,5', 1234567.5],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['1e3', 1000],
    ['2.5E-3', 0.0025],
    ['1.5 x 10^3', 1500],
    ['3 \u00d7 10^-2', 0.03],
    ['45%', 45],
    ['-$1,200.50', -1200.5],
    ['$-3', -3],
    ['\u20ac99', 99],
    ['42 tons of CO2', 42],
    ['5kg', 5],
    ['(3)', 3],
    ['**17**', 17],
    ['\\boxed{18}', 18],
  ])('of %j is %d', (text, value) => {
    expect(lastNumber(text)?.value).toBe(value);
  });

  test.each(['', 'none', 'CO2', 'e', '-'])('%j has no number in it', (text) => {
    expect(lastNumber(text)).toBeUndefined();
  });

  test.each([
    [5, 5],
    ['1,000', 1000],
    [' $12.50 ', 12.5],
    ['-3%', -3],
    ['3 apples', undefined],
    ['1 2', undefined],
    ['', undefined],
    [null, undefined],
    [true, undefined],
  ])('the value %j is the number %s', (value, number) => {
    expect(numberOf(value)).toBe(number);
  });
});

describe('numeric', () => {
  test.each([
    [{ value: 42 }, '41 or 42', 1],
    [{ value: 42 }, '42.0001', 0],
    [{ value: 1, tolerance: 0.1 }, '1.1', 1],
    [{ value: 1, tolerance: 0.1 }, '1.1000001', 0],
    [{ value: 200, relative: 0.05 }, '190', 1],
    [{ value: 200, relative: 0.05 }, '189.9', 0],
    [{ value: 200, tolerance: 0.05, relative: true }, '210', 1],
    [{ value: 200, tolerance: 0.05, relative: false }, '210', 0],
    [{ value: 200, tolerance: 20, relative: 0.05 }, '220', 1],
    [{ value: -200, relative: 0.05 }, '-210', 1],
    [{ value: 1e-12, relative: 0.01 }, '2e-12', 0],
    [{ value: 5, tolerance: 1 }, '1e999', 0],
    [{ value: '1,000' }, '1000', 1],
  ])('%j against %j scores %d', async (config, answer, score) => {
    expect((await findingOf(numeric, config, { answer })).score).toBe(score);
  });

  test('reports the number that it found', async () => {
    expect((await findingOf(numeric, { value: 5, tolerance: 1 }, { answer: 'about 5.5' })).reason).toBe(
      'the last number, 5.5, is 5 within 1',
    );
    expect((await findingOf(numeric, { value: 5 }, { answer: 'it is 7%' })).reason).toBe(
      'expected the number 5; the last number of the answer is 7',
    );
    expect((await findingOf(numeric, { value: 5 }, { answer: 'five' })).reason).toBe(
      'expected the number 5; the answer has no number: the answer is "five"',
    );
  });

  test('refuses values that are not numbers', () => {
    expect(problemsOf(numeric, { value: 'many' })).toEqual(['value: expected a number, got "many"']);
    expect(problemsOf(numeric, { value: 1, relative: 'x' })).toEqual([
      'relative: expected a share such as 0.05, or true or false',
    ]);
  });
});
