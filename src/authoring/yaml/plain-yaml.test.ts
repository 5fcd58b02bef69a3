import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseYaml } from './parse-yaml.ts';
import { readPlainSequence } from './plain-yaml.ts';

/** Undefined where the plain reader hands over, else whether it read what the YAML parser reads. */
function agrees(text: string): boolean | undefined {
  const plain = readPlainSequence(text);
  if (plain === undefined) return undefined;
  const parsed = parseYaml(text, 'aliases');
  expect({ text, value: plain }).toEqual({ text, value: 'value' in parsed ? parsed.value : parsed.failure });
  return true;
}

test('reads sequences of mappings in the common style', () => {
  const text = [
    '  - id: a-1',
    '    input: "What is 15 + 27?"',
    '',
    '    # a comment',
    "    criteria: 'Says 42'",
    '    assert:',
    '    - type: contains',
    '      value: 42',
    '      required: true',
    '    - a bare text',
    '    metadata:',
    '      deep:',
    '        er: -7   ',
    '    nothing:',
    '    again: 3 apples',
    '  - id: b',
    '',
  ].join('\n');
  const expected = [
    {
      id: 'a-1',
      input: 'What is 15 + 27?',
      criteria: 'Says 42',
      assert: [{ type: 'contains', value: 42, required: true }, 'a bare text'],
      metadata: { deep: { er: -7 } },
      nothing: null,
      again: '3 apples',
    },
    { id: 'b' },
  ];
  expect(readPlainSequence(text)).toEqual(expected);
  expect(readPlainSequence(text.replaceAll('\n', '\r\n'))).toEqual(expected);
});

test('returns undefined for any other style', () => {
  const unusual = [
    '',
    '# only',
    'a: 1',
    '- a\nb: 1',
    '-\n  a: 1',
    '- - 1',
    '- a: [1]',
    '- a: {b: 1}',
    '- a: |\n    text',
    '- a: &x 1',
    '- a: *x',
    '- a: !!str 1',
    '- "a": 1',
    '- a: "b\\n"',
    '- a: "b" # c',
    '- a: b # c',
    '- a: b: c',
    '- a: "b"\n   c',
    '- a: b\n    c',
    '- a\n  b',
    '- a: 1\n  a: 2',
    '- a: 1\n   b: 2',
    '- a: 1\n - b: 2',
    ' - a: 1\n- b: 2',
    '- a:\tb',
    '-\ta: b',
    '- a: 1.5',
    '- a: 0x1F',
    '- a: 012',
    '- a: 1_000',
    '- a: ~',
    '- a: null',
    '- a: Null',
    '- a: TRUE',
    '- a: .inf',
    '- a: -',
    '- a: ?',
    '- a: @b',
    '- a: %b',
    '- __proto__: 1',
    '- Null: 1',
    '- a: b\rc',
    '- a: "b\rc"',
    '---\n- a: 1',
    '- a: 1\n...\n',
    '- a: 1\n---\n- b',
    '- <<: *a',
    '- a: "x\n    y"',
    '- a:\n  b: 1\n c: 2',
    '- ? a',
    '- a: \u0085',
    '- a: \ufeff',
    '- a: 12345678901234567890',
    '- a:\n    - 1\n   - 2',
    '- a: b:',
    '- a: \u0007',
  ];
  expect(unusual.filter((text) => readPlainSequence(text) !== undefined)).toEqual([]);
});

test('never reads a text differently from the YAML parser', () => {
  const scalar = fc.constantFrom(
    'abc',
    'a b',
    '1',
    '0',
    '-3',
    '007',
    '1e3',
    '1.0',
    '3 apples',
    '1 #x',
    'null',
    'true',
    'False',
    '~',
    '',
    ' ',
    '"q"',
    "'q'",
    '"a\\tb"',
    "'it''s'",
    '"open',
    "'open",
    '[a]',
    '{a: 1}',
    '&x a',
    '*x',
    '!t a',
    '|',
    '>-',
    '- x',
    '-',
    '--',
    '---',
    '?',
    'a: b',
    'a:',
    'a:b',
    'http://x.y/z',
    '#c',
    'a #c',
    'a#c',
    'é',
    'Ünï côdé',
    '日本',
    '😀 ok',
    '"😀"',
    '<<',
    '2024-01-01',
    '1:20',
    '%d',
    '@a',
    '`a',
    'a\tb',
    'a ',
  );
  const key = fc.constantFrom(
    'a',
    'b',
    'id',
    'a-b',
    'null',
    '__proto__',
    '<<',
    'true',
    '1',
    '"k"',
    'a b',
    'constructor',
  );
  const line = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(key, scalar).map(([k, v]) => `${k}: ${v}`) },
    { weight: 2, arbitrary: key.map((k) => `${k}:`) },
    { weight: 3, arbitrary: fc.tuple(key, scalar).map(([k, v]) => `- ${k}: ${v}`) },
    { weight: 1, arbitrary: key.map((k) => `- ${k}:`) },
    { weight: 2, arbitrary: scalar.map((v) => `- ${v}`) },
    { weight: 1, arbitrary: scalar },
    { weight: 1, arbitrary: fc.constantFrom('', '# c', '-', '-   a: 1') },
  );
  const indented = fc
    .tuple(fc.constantFrom(2, 2, 2, 2, 2, 4, 4, 4, 0, 6, 1, 3), line)
    .map(([n, text]) => ' '.repeat(n) + text);
  const ends = fc.constantFrom('\n', '\n', '\n', '\r\n');
  let read = 0;
  fc.assert(
    fc.property(fc.array(indented, { minLength: 1, maxLength: 4 }), ends, (lines, end) => {
      if (agrees(['- id: x', ...lines].join(end)) === true) read += 1;
    }),
    { numRuns: 6000 },
  );
  expect(read).toBeGreaterThan(100);
});

test('reads back any document in the common style', () => {
  const word = fc
    .stringMatching(/^[a-z][a-z ,.!?()/+*=-]{0,20}[a-z]$/)
    .filter((text) => !/^(?:null|true|false)$/.test(text));
  const key = fc
    .stringMatching(/^[a-z_]{4,8}$/)
    .filter((text) => !/^(?:null|true|false|__proto__)$/.test(text));
  const value = fc.letrec((tie) => ({
    node: fc.oneof({ depthSize: 'small' }, word, fc.integer(), fc.boolean(), tie('list'), tie('map')),
    list: fc.array(fc.oneof(word, fc.integer(), tie('map')), { minLength: 1, maxLength: 3 }),
    map: fc.dictionary(key, tie('node'), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  }));
  fc.assert(
    fc.property(fc.array(value.map, { minLength: 1, maxLength: 3 }), (items) => {
      expect(readPlainSequence(written(items, 0))).toEqual(items);
    }),
    { numRuns: 500 },
  );
});

function written(value: unknown, indent: number): string {
  const margin = ' '.repeat(indent);
  if (Array.isArray(value)) {
    return value
      .map((item: unknown) => {
        if (typeof item !== 'object') return `${margin}- ${String(item)}\n`;
        return `${margin}- ${written(item, indent + 2).slice(indent + 2)}`;
      })
      .join('');
  }
  return Object.entries(value as object)
    .map(([key, member]: [string, unknown]) => {
      if (typeof member !== 'object') return `${margin}${key}: ${String(member)}\n`;
      return `${margin}${key}:\n${written(member, indent + 2)}`;
    })
    .join('');
}
