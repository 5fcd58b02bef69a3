import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { jsonFault } from './json-fault.ts';

test.each([
  ['{"id": "a", "input": ', 21, 'json-syntax', 'the line ends in the middle of a JSON value'],
  ['{"id": "a", "inp', 16, 'json-syntax', 'the line ends in the middle of a JSON value'],
  ["{'id': 1}", 1, 'json-syntax', 'invalid JSON: expected a text in double quotes'],
  ['{"a": 1,}', 8, 'json-syntax', 'invalid JSON: expected a text in double quotes'],
  ['{"a" 1}', 5, 'json-syntax', 'invalid JSON: `:` was expected'],
  ['{"a": tru}', 6, 'json-syntax', 'invalid JSON: expected a JSON value'],
  ['[1 2]', 3, 'json-syntax', 'invalid JSON: expected `,` or `]`'],
  ['{"a": "x\\q"}', 8, 'json-syntax', 'invalid JSON: invalid character or escape in a quoted string'],
  ['{} {}', 3, 'json-syntax', 'invalid JSON: unexpected text after the end of the JSON value'],
  ['{"a": {"b": 1, "\\u0062": 2}}', 15, 'duplicate-key', 'duplicate key "b"'],
])('%s', (text, offset, code, message) => {
  expect(jsonFault(text)).toEqual({ offset, code, message });
});

test('finds the first level that is too deep, in lists and in mappings', () => {
  const message = 'lists and mappings are nested more than 500 levels deep';
  expect(jsonFault('['.repeat(100_000))).toEqual({ offset: 500, code: 'too-deep', message });
  expect(jsonFault(`${'{"a":'.repeat(501)}1${'}'.repeat(501)}`)).toEqual({
    offset: 2500,
    code: 'too-deep',
    message,
  });
  const deepest = `[${'['.repeat(499)}${']'.repeat(499)},[]]`;
  expect(jsonFault(deepest)).toBeUndefined();
});

test('finds a mistake exactly in those texts that JSON.parse refuses', () => {
  const insert = fc.constantFrom('', '"', ',', '}', ']', ':', '\\', '1', 'x', '\t', '{');
  const property = fc.property(fc.json(), fc.nat(), insert, (json, position, spoil) => {
    const at = position % (json.length + 1);
    const text = json.slice(0, at) + spoil + json.slice(at + (spoil === '' ? 1 : 0));
    const found = jsonFault(text);
    return found?.code === 'duplicate-key' || (found === undefined) === isJson(text);
  });
  expect(fc.check(property, { numRuns: 3000 }).counterexample).toBeNull();
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
