import { expect, test } from 'vitest';

import { limitText } from './limit-text.ts';

test('a limit is told in words, times and costs with their units', () => {
  expect(limitText({ kind: 'token-limit', ceiling: 100, reached: 120 })).toBe('tokens: 100, reached 120');
  expect(limitText({ kind: 'budget', ceiling: 1, reached: 2 })).toBe('cost: $1.00, reached $2.00');
  expect(limitText({ kind: 'idle-timeout', ceiling: 30_000, reached: 31_000 })).toMatch(
    /30.* s, reached 31.* s/,
  );
});
