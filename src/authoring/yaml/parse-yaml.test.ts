import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';

import { isWithin, parseYaml } from './parse-yaml.ts';

/** The value by the parser with positions, or undefined when it does not parse. */
function byOther(text: string): { readonly value: unknown } | undefined {
  const document = parseDocument(text, { merge: true, logLevel: 'silent' });
  try {
    return document.errors.length > 0 ? undefined : { value: document.toJS() as unknown };
  } catch {
    return undefined;
  }
}

const SCALARS = [
  'no',
  'yes',
  'on',
  'off',
  'y',
  'True',
  'TRUE',
  'tRue',
  'null',
  'Null',
  'nUll',
  '~',
  '1_000',
  '0o17',
  '0o8',
  '0x1F',
  '0xg',
  '+0x1',
  '-0o7',
  '0b11',
  '1:20',
  '1:20:30',
  '2024-01-01',
  '2024-01-01T00:00:00Z',
  '012',
  '+12',
  '-0',
  '-0.0',
  '+.5',
  '.5',
  '5.',
  '1e3',
  '1E-3',
  '1e',
  'e3',
  '.inf',
  '-.INF',
  '.NaN',
  '1e999',
  '-1e999',
  '9007199254740993',
  '12345678901234567890123',
  `0x${'f'.repeat(400)}`,
  '1'.repeat(400),
  '!!str 5',
  '!!int "5"',
  '"a\\u00e9"',
  "'it''s'",
  '"\\x41"',
  'a#b',
  'é',
];

const DOCUMENTS = [
  '[1, [2, {a: b}]]',
  '{a: 1, b}',
  '- - 1\n  - 2\n- 3',
  '? a\n: b',
  '1: x',
  'true: x',
  '1.0: x',
  '[a: b]',
  '|\n  a\n  b\n',
  '>\n  a\n  b\n\n  c\n',
  'k: |-\n  a\n',
  'k: |+\n  a\n\n',
  'x: &a {k: 1}\ny: *a',
  'a: 1\n<<: {a: 2, b: 3}',
  '<<: {a: 1}\na: 2',
  '<<: [{a: 1}, {a: 2, c: 3}]',
  '- &b {x: 1, y: 2}\n- <<: *b\n  y: 3',
  'a: "x\n  y"',
  'a: x\n  y',
  '---\na: 1\n...\n',
  'a: x #c',
  '__proto__: 1',
  'constructor: 1',
  'a: "b\\\n  c"',
  '- a: 1\n  b: 2\n- c',
];

const BROKEN = [
  'a: 1\na: 2',
  'a: *nope',
  '\ta: 1',
  'a:\n\t- 1',
  'a: "x',
  "a: 'x",
  'a: [1',
  'a: {b: 1',
  'a: x: y',
  'a: "x" y',
  '@x',
  '<<: 5',
  'a: - b',
  '"\\q"',
  'a: x\nb',
  ' a: 1\nb: 2',
  'a: |x\n y',
  '--- a\n--- b\n',
];

describe('both parsers', () => {
  test.each([...SCALARS, ...DOCUMENTS])('read the same: %j', (text) => {
    const other = byOther(text);
    expect(other).toBeDefined();
    expect(parseYaml(text, 'aliases')).toEqual(other);
  });

  test.each(SCALARS)('read the same behind a key: %j', (text) => {
    expect(parseYaml(`k: ${text}`, 'aliases')).toEqual(byOther(`k: ${text}`));
  });

  test.each(BROKEN)('refuse: %j', (text) => {
    expect(parseYaml(text, 'aliases')).toHaveProperty('failure');
    expect(text.startsWith('---') ? undefined : byOther(text)).toBeUndefined();
  });

  test('read plain scalars in the same way', () => {
    const piece = fc.constantFrom(
      '0',
      '1',
      '9',
      'x',
      'o',
      'e',
      'E',
      '.',
      '-',
      '+',
      '_',
      ':',
      'n',
      'a',
      'i',
      'f',
      't',
      'T',
      '~',
      '<',
    );
    const property = fc.property(fc.array(piece, { minLength: 1, maxLength: 7 }), (pieces) => {
      const text = `k: ${pieces.join('')}`;
      const other = byOther(text);
      return other === undefined || isDeepStrictEqual(parseYaml(text, 'aliases'), other);
    });
    expect(fc.check(property, { numRuns: 5000 }).counterexample).toBeNull();
  });
});

test('yes and no are texts, and so are dates, times and numbers with underscores', () => {
  expect(parseYaml('[no, yes, 1_000, 1:20, 2024-01-01, 0o17, 012]', 'aliases')).toEqual({
    value: ['no', 'yes', '1_000', '1:20', '2024-01-01', 15, 12],
  });
});

test('a failure has the position and the reason', () => {
  expect(parseYaml('a: 1\nb: *c\n', 'aliases')).toEqual({
    failure: { line: 1, column: 4, reason: 'unidentified alias "c"' },
  });
  expect(parseYaml('a: &x 1\nb: *x\n', 'no-aliases')).toHaveProperty('failure');
});

test('the size of a value counts expanded aliases; a cycle is infinite', () => {
  const bomb = ['a: &a [x, x]', 'b: &b [*a, *a]', 'c: &c [*b, *b]'].join('\n');
  const parsed = parseYaml(bomb, 'aliases');
  const value = 'value' in parsed ? parsed.value : undefined;
  expect([isWithin(value, 26), isWithin(value, 25)]).toEqual([true, false]);
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  expect(isWithin(cyclic, 1e12)).toBe(false);
});
