import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { jsonMistake } from './json-mistake.ts';

test.each([
  ['{\n  "a": 1,\n  "b": x\n}', 19, 'line 3, column 8: this is not JSON, expected a value'],
  ['{"a": 1,}', 8, 'line 1, column 9: this is not JSON, expected a key in double quotes'],
  ['{"a": 1 "b": 2}', 8, 'line 1, column 9: this is not JSON, expected `,` or `}`'],
  ['{\n  "a":', 8, 'line 2, column 7: this is not JSON, expected a value'],
  ["{'a': 1}", 1, 'line 1, column 2: this is not JSON, expected a key in double quotes or `}`'],
  ['{"a" 1}', 5, 'line 1, column 6: this is not JSON, expected `:`'],
  ['[1, 2', 5, 'line 1, column 6: this is not JSON, expected `,` or `]`'],
  ['[1,]', 3, 'line 1, column 4: this is not JSON, expected a value'],
  ['[}', 1, 'line 1, column 2: this is not JSON, expected a value or `]`'],
  ['{} x', 3, 'line 1, column 4: this is not JSON, expected nothing more'],
  ['["a\nb"]', 1, 'line 1, column 2: this is not JSON, expected a value or `]`'],
  ['["a"', 4, 'line 1, column 5: this is not JSON, expected `,` or `]`'],
  ['01', 1, 'line 1, column 2: this is not JSON, expected nothing more'],
])('%j is wrong at %d', (text, at, message) => {
  expect(jsonMistake(text)).toEqual({ at, message });
});

test('JSON has no mistake, and JSON with something behind it is right up to there', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(jsonMistake(text)).toBeUndefined();
      expect(jsonMistake(`${text} ]`)?.at).toBe(text.trimEnd().length + 1);
    }),
  );
});
