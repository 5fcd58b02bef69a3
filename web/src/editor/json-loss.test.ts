import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { jsonLoss } from './json-loss.ts';

const rounded = (place: string) => `${place}: this number cannot be kept exactly, put it in quotes`;

test.each([
  ['{"id": 12345678901234567890}', 7, rounded('line 1, column 8')],
  ['[\n9007199254740993]', 2, rounded('line 2, column 1')],
  ['0.12345678901234567890', 0, rounded('line 1, column 1')],
  ['[1e400]', 1, rounded('line 1, column 2')],
  ['[1e-400]', 1, rounded('line 1, column 2')],
  ['{"a": 1, "a": 2}', 9, 'line 1, column 10: duplicate key "a"'],
  [String.raw`{"b": {"a": 1}, "c": [{"a": 1, "\u0061" : 2}]}`, 31, 'line 1, column 32: duplicate key "a"'],
])('%s would lose something at %d', (text, at, message) => {
  expect(jsonLoss(text)).toEqual({ at, message });
});

test.each([
  '{"a": {"a": 1}, "b": {"a": "a"}, "c": ["a", "a"]}',
  '["12345678901234567890", "{\\"a\\": 1, \\"a\\": 1}"]',
  '[9007199254740992, 9007199254740994, -0, 1.50, 15e-1, 1E+2, 0.1, 0.10, 5e-324]',
])('%s loses nothing', (text) => {
  expect(jsonLoss(text)).toBeUndefined();
});

test('numbers that are no large whole ones are kept as a program writes them', () => {
  const numbers = fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true });
  fc.assert(
    fc.property(numbers, (number) => {
      expect(jsonLoss(JSON.stringify(number))).toBeUndefined();
    }),
  );
});
