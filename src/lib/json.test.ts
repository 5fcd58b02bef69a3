import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { canonicalJson, differingPaths, fromLeaves, isObject, jsonEqual } from './json.ts';

/** A double by its IEEE 754 bits. */
function double(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}

describe('canonicalJson', () => {
  // RFC 8785, section 3.2.2.
  test('writes the example of literals, numbers and texts as the RFC does', () => {
    const source = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(source))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  // RFC 8785, section 3.2.3.
  test('sorts keys by UTF-16 code units: a surrogate pair comes before U+FB33', () => {
    const source = String.raw`{
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }`;
    const text = canonicalJson(JSON.parse(source));
    expect(
      Object.values(JSON.parse(`[${text.slice(1, -1).replace(/"(?:[^"\\]|\\.)*":/g, '')}]`) as string[]),
    ).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  // RFC 8785, appendix B.
  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the double %s as %s', (bits, text) => {
    expect(canonicalJson(double(bits))).toBe(text);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('refuses %s', (number) => {
    expect(() => canonicalJson({ a: [number] })).toThrow(`JSON cannot represent the number ${number}`);
  });

  test('leaves out members that are undefined and keeps places of a list', () => {
    expect(canonicalJson({ b: undefined, a: [undefined, null], c: {} })).toBe('{"a":[null,null],"c":{}}');
  });

  test('keeps a key of the user with any name', () => {
    const value: unknown = JSON.parse('{"toString":1,"__proto__":{"x":1},"constructor":2}');
    expect(canonicalJson(value)).toBe('{"__proto__":{"x":1},"constructor":2,"toString":1}');
  });

  test('has no bound of depth that a file could reach', () => {
    const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`;
    expect(canonicalJson(JSON.parse(deep))).toBe(deep);
  });

  test('is JSON of the same value, with the same text for any order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(text);
      }),
    );
  });
});

describe('jsonEqual', () => {
  test.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1, c: 2 }, false],
    [[1, 2], [2, 1], false],
    [[1], { 0: 1, length: 1 }, false],
    [{}, [], false],
    [null, {}, false],
    [0, -0, true],
    ['5', 5, false],
    [{ a: undefined }, {}, true],
  ])('%j and %j: %s', (left, right, expected) => {
    expect([jsonEqual(left, right), jsonEqual(right, left)]).toEqual([expected, expected]);
  });

  test('agrees with the canonical texts', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (left, right) => {
        expect(jsonEqual(left, right)).toBe(canonicalJson(left) === canonicalJson(right));
        expect(jsonEqual(left, reversed(left))).toBe(true);
      }),
    );
  });
});

test('a plain mapping is neither null nor a list', () => {
  expect([{}, Object.create(null), null, [], 'a', undefined].map(isObject)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe('differingPaths', () => {
  const partial = (expected: unknown, actual: unknown) => differingPaths(expected, actual, 'partial');
  const exact = (expected: unknown, actual: unknown) => differingPaths(expected, actual, 'exact');

  test('partly, other keys do not count and texts are folded; exactly, both do', () => {
    const given = { q: ' Weather ', lang: 'en' };
    expect(partial({ q: 'weather' }, given)).toEqual([]);
    expect(exact({ q: 'weather' }, given)).toEqual(['q', 'lang']);
    expect(exact({ q: ' Weather ', lang: 'en' }, given)).toEqual([]);
  });

  test('numbers are doubles and never texts', () => {
    expect(partial({ n: 25 }, JSON.parse('{"n":25.0}'))).toEqual([]);
    expect(partial({ n: 25 }, { n: '25' })).toEqual(['n']);
    expect(partial({ n: '5' }, { n: 5 })).toEqual(['n']);
  });

  test('null and booleans match only themselves, and null differs from an absent key', () => {
    expect(partial({ a: null }, {})).toEqual(['a']);
    expect(partial({ a: null }, { a: null })).toEqual([]);
    expect(partial({ a: true }, { a: 1 })).toEqual(['a']);
    expect(partial({ a: false }, { a: null })).toEqual(['a']);
  });

  test('lists have equal lengths and are compared one by one, keys inside them partly', () => {
    expect(partial({ l: [1, { a: 'X' }] }, { l: [1, { a: 'x', b: 2 }] })).toEqual([]);
    expect(partial({ l: [1, 2] }, { l: [1, 2, 3] })).toEqual(['l']);
    expect(partial({ l: [1, { a: 1 }] }, { l: [2, { a: 2 }] })).toEqual(['l.0', 'l.1.a']);
    expect(partial({ l: [] }, { l: {} })).toEqual(['l']);
  });

  test('texts are compared in one normal form', () => {
    expect(partial({ t: 'Caf\u00e9' }, { t: 'CAFE\u0301' })).toEqual([]);
    expect(exact({ t: 'Caf\u00e9' }, { t: 'Cafe\u0301' })).toEqual(['t']);
  });

  test('a value that is not a mapping differs as a whole', () => {
    expect(partial({ a: 1 }, 'text')).toEqual(['']);
    expect(partial({ a: { b: 1 } }, { a: [1] })).toEqual(['a']);
  });
});

test('leaves are found at any depth by path', () => {
  const value = { a: [1, null], b: { c: 'x', 0: [] }, d: {} };
  expect(fromLeaves(value, ['root'], (leaf, path) => [[...path, leaf]])).toEqual([
    ['root', 'a', 0, 1],
    ['root', 'a', 1, null],
    ['root', 'b', 'c', 'x'],
  ]);
});
