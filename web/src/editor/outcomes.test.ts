import { expect, test } from 'vitest';

import { areOutcomesJson, outcomesInLines, outcomesText } from './outcomes.ts';

test('outcomes that are only said to be true are lines, and come back the same', () => {
  const outcomes = { 'The refund was made.': true, 'The customer knows when: soon': true };
  const text = outcomesText(outcomes);
  expect(text).toBe('The refund was made.\nThe customer knows when: soon');
  expect([areOutcomesJson(text), outcomesInLines(` ${text}\n\n`)]).toEqual([false, outcomes]);
});

test.each([
  [{ refunded: 'the refund was made' }],
  [{ refunded: true, amount: 7 }],
  [{ '{': true }],
  [{ ' padded': true }],
  [{ 'two\nlines': true }],
  [{}],
])('other outcomes are JSON: %j', (outcomes) => {
  const text = outcomesText(outcomes);
  expect([areOutcomesJson(text), JSON.parse(text)]).toEqual([true, outcomes]);
});

test('no outcomes are an empty text', () => {
  expect([outcomesText(null), outcomesInLines(' \n')]).toEqual(['', null]);
});
