import { expect, test } from 'vitest';

import { camelKeys, snakeKeys } from './key-case.ts';

test('keys change their spelling and values stay as they are', () => {
  const snake = { max_cost_usd: 1, on_limit: { a_b: null }, seed: undefined };
  const camel = { maxCostUsd: 1, onLimit: { a_b: null }, seed: undefined };
  expect(camelKeys(snake)).toStrictEqual(camel);
  expect(snakeKeys(camel)).toStrictEqual(snake);
});
