import { expect, test } from 'vitest';

import { hasTwinKeys, jsonPieces } from './json-objects.ts';

/** What of it is JSON. */
const valuesIn = (text: string) =>
  jsonPieces(text).flatMap(({ value }) => (value === undefined ? [] : [value]));

test.each([
  ['{"a":1}', [{ a: 1 }]],
  ['Sure:\n```json\n{"a": {"b": "}"}}\n```\nDone.', [{ a: { b: '}' } }]],
  ['{"a":1} and {"b":2}', [{ a: 1 }, { b: 2 }]],
  ['see [1] and [note]: {"a":"say \\"{\\""}', [[1], { a: 'say "{"' }]],
  ['[{"a":1}]', [[{ a: 1 }]]],
  ['{"a":', []],
  ['{not json} {"a":1}', [{ a: 1 }]],
  ['nothing', []],
  ['', []],
])('%j holds %j', (text, values) => {
  expect(valuesIn(text)).toEqual(values);
});

// Were each of them looked at, this would go on for minutes.
test('of a text of openings alone only the first ones are looked at', () => {
  expect(valuesIn('{'.repeat(500_000))).toEqual([]);
});

test('invalid JSON is a part too, up to the next valid JSON', () => {
  expect(jsonPieces('{a: {"b": oops}} [1] {"c": {"d": 1}, {"e": 2}')).toEqual([
    { text: '{a: {"b": oops}}' },
    { text: '[1]', value: [1] },
    { text: '{"c": ' },
    { text: '{"d": 1}', value: { d: 1 } },
    { text: '{"e": 2}', value: { e: 2 } },
  ]);
});

test('after very many openings that lead nowhere the rest is one piece', () => {
  const text = `${'{'.repeat(250)} {"a":1}`;
  expect(jsonPieces(text)).toEqual([{ text }]);
});

test.each([
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":"b"}]}', false],
  ['{"a":1,"\\u0061":2}', true],
  ['{"x":[{"a":"\\"a\\":","a":1}]}', true],
  ['{"__proto__":1,"constructor":"a:{","b":2}', false],
])('%s has twin keys: %s', (json, isSo) => {
  expect(hasTwinKeys(json)).toBe(isSo);
});
