import { expect, test } from 'vitest';

import { exactJson, exactYaml } from './exact-numbers.ts';

const WRITTEN: readonly (readonly [string, unknown])[] = [
  ['9007199254740992', 9_007_199_254_740_992],
  ['9007199254740993', 9_007_199_254_740_993n],
  ['-9007199254740993', -9_007_199_254_740_993n],
  ['100000000000000000000', 1e20],
  ['12345678901234567890', 12_345_678_901_234_567_890n],
  ['9007199254740993.0', 9_007_199_254_740_992],
  ['1e22', 1e22],
  ['"9007199254740993"', '9007199254740993'],
  ['"a \\" 9007199254740993"', 'a " 9007199254740993'],
];

test.each(WRITTEN)('%s is read from JSON and from YAML as it is written', (text, value) => {
  expect([exactJson(text), exactJson(`{"a":[${text}]}`), exactYaml(`a: [${text}]`)]).toEqual([
    value,
    { a: [value] },
    { value: { a: [value] } },
  ]);
});

test('whole numbers of YAML with another base or a sign are exact too', () => {
  expect(exactYaml('[0x20000000000001, 0x20000000000000, 0o400000000000000001, +9007199254740993]')).toEqual({
    value: [9_007_199_254_740_993n, 2 ** 53, 9_007_199_254_740_993n, 9_007_199_254_740_993n],
  });
});

test('keys stay what they are', () => {
  expect([
    exactJson('{"9007199254740993":1,"b":9007199254740993}'),
    exactYaml('9007199254740993: 1'),
  ]).toEqual([{ '9007199254740993': 1, b: 9_007_199_254_740_993n }, { value: { '9007199254740993': 1 } }]);
});
