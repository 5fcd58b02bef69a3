import { expect, test } from 'vitest';

import { AMOUNT, required } from './answer-shape.ts';

test.each([
  ['1e400', 'Infinity'],
  ['1e308', '1e+308'],
  ['-1', '-1'],
  ['"7"', '"7"'],
  ['null', 'null'],
])('%s is not a count, because it cannot be summed', (json, shown) => {
  expect(() => required(JSON.parse(json), 'usage.total', AMOUNT)).toThrow(
    `invalid answer at usage.total: expected a number from 0 to 1000000000000, got ${shown}`,
  );
});
