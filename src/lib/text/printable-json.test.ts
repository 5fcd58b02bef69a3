import { expect, test } from 'vitest';

import { printableJson } from './printable-json.ts';

test('JSON for a terminal has the same value and no character that a terminal obeys or reorders', () => {
  const value = { a: '\u001b[2J\u009b2J\u007f', '\u202eb': ['\u2028\u{e0041}é 中 😀'], c: undefined };
  const text = printableJson(value);
  expect(text).toBe('{"a":"\\u001b[2J\\u009b2J\\u007f","\\u202eb":["\\u2028\\udb40\\udc41é 中 😀"]}');
  expect(JSON.parse(text)).toEqual({ a: value.a, '\u202eb': value['\u202eb'] });
  expect(printableJson(['\u202e'], 2)).toBe('[\n  "\\u202e"\n]');
});
