import { describe, expect, test } from 'vitest';

import { equals } from './equals.ts';
import { findingOf } from './subject.fixture.ts';

describe('equals', () => {
  test.each([
    [{ value: 'Paris' }, ' Paris\n', 1],
    [{ value: 'Paris' }, 'paris', 0],
    [{ value: 'Paris', ignore_case: true }, 'PARIS', 1],
    [{ value: 'a b  c' }, 'a b c', 0],
    [{ value: 'a b  c', ignore_whitespace: true }, 'a\nbc', 1],
    [{ value: '' }, '  ', 1],
    [{ value: '42' }, '42.0', 0],
    [{ value: 42 }, '42.0', 1],
    [{ value: true }, 'true', 1],
    [{ value: null }, 'null', 1],
    [{ value: { a: 1, b: [1, { c: 'x' }] } }, '{"b":[1,{"c":"x"}],"a":1}', 1],
    [{ value: [1, 2] }, '[2,1]', 0],
    [{ value: { a: 'X' } }, '{"a":"x"}', 0],
    [{ value: { a: 'X y' }, ignore_case: true, ignore_whitespace: true }, '{"a":"xY"}', 1],
    [{ value: { a: 1 } }, '{"a":1,"b":2}', 0],
  ])('%j against %j scores %d', async (config, answer, score) => {
    expect((await findingOf(equals, config, { answer })).score).toBe(score);
  });

  test('without a value the reference is used, as text or as JSON', async () => {
    expect((await findingOf(equals, {}, { answer: 'DENIED ', reference: 'DENIED' })).score).toBe(1);
    expect((await findingOf(equals, {}, { answer: '{"b":1,"a":2}', reference: { a: 2, b: 1 } })).score).toBe(
      1,
    );
    await expect(findingOf(equals, {}, { answer: 'x' })).rejects.toThrow(
      'no reference to compare with; add `expected_output` to the test, or `value` to the grader',
    );
    expect([equals.readsReference?.({}), equals.readsReference?.({ value: 'x' })]).toEqual([true, false]);
  });

  test('failures show the first difference', async () => {
    expect((await findingOf(equals, { value: 'yes' }, { answer: 'no' })).reason).toBe(
      'expected "yes"; the answer is "no"',
    );
    expect(
      (await findingOf(equals, { value: { a: { b: [1, 2] } } }, { answer: '{"a":{"b":[1,3]}}' })).reason,
    ).toBe('the answer is a different JSON value: $.a.b[1]: expected 2, found 3');
    expect((await findingOf(equals, { value: { a: 1 } }, { answer: '{}' })).reason).toBe(
      'the answer is a different JSON value: $.a: expected 1, found nothing',
    );
    expect((await findingOf(equals, { value: { a: 1 } }, { answer: '' })).reason).toBe(
      'expected the JSON {"a":1}; the answer is not JSON: it is empty',
    );
  });

  test('is named after its value, an object as json', () => {
    expect(
      [{}, { value: 'Paris' }, { value: 4 }, { value: { a: 1 } }].map((config) => equals.nameOf?.(config)),
    ).toEqual(['equals', 'equals-Paris', 'equals-4', 'equals-json']);
  });
});
