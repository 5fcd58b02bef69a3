import { expect, test } from 'vitest';

import { costOf } from './price.ts';
import { addUsage, isCount, usageOf } from './usage.ts';

test('the total of a usage is the sum of all input and all output', () => {
  expect(usageOf(1000, 50, { cacheReadTokens: 400, reasoningTokens: 10 })).toEqual({
    inputTokens: 1000,
    cacheReadTokens: 400,
    outputTokens: 50,
    reasoningTokens: 10,
    totalTokens: 1050,
  });
});

test('a part that neither usage reported stays absent; one that either reported is a sum', () => {
  const left = usageOf(10, 1, { cacheReadTokens: 4 });
  const right = usageOf(20, 2, { reasoningTokens: 0 });
  expect(addUsage(left, right)).toEqual({
    inputTokens: 30,
    cacheReadTokens: 4,
    outputTokens: 3,
    reasoningTokens: 0,
    totalTokens: 33,
  });
  expect(addUsage(undefined, right)).toEqual(right);
});

test('cached input is part of all input, and is charged at its own price once', () => {
  const usage = usageOf(1000, 0, { cacheReadTokens: 400 });
  expect(costOf(usage, { input: 2.5, output: 10, cacheRead: 1.25 })).toBeCloseTo(0.002, 12);
  expect(costOf(usage, { input: 2.5, output: 10 })).toBeCloseTo(0.0025, 12);
});

test('output and cache writes have their prices', () => {
  const usage = usageOf(300, 100, { cacheReadTokens: 100, cacheWriteTokens: 100, reasoningTokens: 60 });
  const price = { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 2 };
  expect(costOf(usage, price)).toBeCloseTo((100 + 10 + 200 + 1000) / 1e6, 12);
});

test('more cached tokens than input never give a negative cost', () => {
  expect(costOf(usageOf(10, 0, { cacheReadTokens: 100 }), { input: 1, output: 1, cacheRead: 0 })).toBe(0);
});

test('values that cannot be summed are not counts', () => {
  const values = [0, 0.5, 1e12, 1e13, 1e308, Infinity, NaN, -1, '1', null, undefined];
  expect(values.map(isCount)).toEqual([true, true, true, ...Array<boolean>(8).fill(false)]);
});
