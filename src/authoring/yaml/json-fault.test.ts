import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { jsonFault } from './json-fault.ts';

test.each([
  ['{"id": "a", "input": ', 21, 'json-syntax', 'the line ends in the middle of a JSON value'],
  ['{"id": "a", "inp', 16, 'json-syntax', 'the line ends in the middle of a JSON value'],
  ["{'id': 1}", 1, 'json-syntax', 'no JSON: a text in double quotes was expected'],
  ['{"a": 1,}', 8, 'json-syntax', 'no JSON: a text in double quotes was expected'],
  ['{"a" 1}', 5, 'json-syntax', 'no JSON: `:` was expected'],
  ['{"a": tru}', 6, 'json-syntax', 'no JSON: a JSON value was expected'],
  ['[1 2]', 3, 'json-syntax', 'no JSON: `,` or `]` was expected'],
  ['{"a": "x\\q"}', 8, 'json-syntax', 'no JSON: this text in quotes does not go on like this'],
  ['{} {}', 3, 'json-syntax', 'no JSON: the JSON value has ended, and more follows'],
  ['{"a": {"b": 1, "\\u0062": 2}}', 15, 'duplicate-key', 'the key "b" stands twice in one mapping'],
])('%s', (text, offset, code, message) => {
  expect(jsonFault(text)).toEqual({ offset, code, message });
});

test('tells of the first level that is too deep, in lists and in mappings', () => {
  const message = 'lists and mappings stand in each other more than 500 levels deep';
  expect(jsonFault('['.repeat(100_000))).toEqual({ offset: 500, code: 'too-deep', message });
  expect(jsonFault(`${'{"a":'.repeat(501)}1${'}'.repeat(501)}`)).toEqual({
    offset: 2500,
    code: 'too-deep',
    message,
  });
  const deepest = `[${'['.repeat(499)}${']'.repeat(499)},[]]`;
  expect(jsonFault(deepest)).toBeUndefined();
});

test('finds a fault exactly where there is none for JSON.parse to read', () => {
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
