import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { cutItems } from './cut-items.ts';
import { CutError, readYaml } from './read-yaml.ts';
import type { SourceFile } from './source.ts';

function fileOf(text: string): SourceFile {
  return { path: '/x/a.yaml', shown: 'a.yaml', directory: '/x', bytes: Buffer.from(text) };
}

/** What a file holds: in parts as far as it can be parsed so. */
function contents(text: string, mode: 'parts' | 'whole') {
  const read = readYaml(fileOf(text), mode);
  if ('code' in read) return read.code;
  if ('failure' in read) return 'failure';
  try {
    return { head: read.head, tests: read.batches && [...read.batches()].flat().map(({ value }) => value) };
  } catch (error) {
    if (error instanceof CutError) return 'uncut';
    throw error;
  }
}

describe('a file with a long list of tests', () => {
  test('is cut at its items, wherever the list stands', () => {
    const text =
      'name: x\ntests: # all\n\n  # first\n  - id: a\n    input: |\n      - no item\n  -\n    id: b\n\n  - c\nversion: 1\n';
    expect(cutItems(Buffer.from(text))).toEqual({
      under: 'tests',
      starts: [text.indexOf('  - id: a'), text.indexOf('  -\n'), text.indexOf('  - c')],
      lines: [5, 8, 11],
      end: text.indexOf('version'),
      breaks: 7,
    });
    expect(contents(text, 'parts')).toEqual({
      head: { name: 'x', version: 1 },
      tests: [{ id: 'a', input: '- no item\n' }, { id: 'b' }, 'c'],
    });
  });

  test('may be the list itself, may have items at the margin, and may end without a line break', () => {
    expect(contents('- a\n- b: 1', 'parts')).toEqual({ head: undefined, tests: ['a', { b: 1 }] });
    expect(contents('tests:\n- a\n- b\nname: x', 'parts')).toEqual({
      head: { name: 'x' },
      tests: ['a', 'b'],
    });
    expect(contents('tests:\r\n- a\r\n- b\r\nname: x', 'parts')).toEqual({
      head: { name: 'x' },
      tests: ['a', 'b'],
    });
  });

  test('has each item with its line and its own text', () => {
    const read = readYaml(fileOf('tests:\n  - id: a\n    x: 1\n  - id: b\n'), 'parts');
    const items = 'batches' in read ? [...(read.batches?.() ?? [])].flat() : [];
    expect(items.map(({ line, path, fragment }) => [line, path, fragment.line, fragment.text()])).toEqual([
      [2, [0], 2, '  - id: a\n    x: 1\n'],
      [4, [0], 4, '  - id: b\n'],
    ]);
  });

  test('keeps the line numbers of the text around the list', () => {
    const read = readYaml(fileOf('name: x\ntests:\n  - a\n  - b\nlast: y\n'), 'parts');
    expect('headFragment' in read ? read.headFragment.text() : '').toBe('name: x\ntests:\n\n\nlast: y\n');
  });

  test('is parsed as a whole where a part needs another', () => {
    const aliases = 'tests:\n  - &a {id: a}\n  - *a\n';
    expect([contents(aliases, 'parts'), contents(aliases, 'whole')]).toEqual([
      'uncut',
      { head: {}, tests: [{ id: 'a' }, { id: 'a' }] },
    ]);
    const anchorInHead = 'x-a: &a {id: a}\ntests:\n  - <<: *a\n';
    expect(contents(anchorInHead, 'parts')).toBe('uncut');
  });

  test('gives the same in parts as a whole, or is not cut', () => {
    const line = fc.constantFrom(
      'tests:',
      'tests: # c',
      'name: x',
      '- id: a',
      '- id: b',
      '-',
      '- a',
      'id: c',
      'input: |',
      'input: >-',
      'text',
      'k: "a',
      'b"',
      "k: 'a",
      "b'",
      'k: [a,',
      'b]',
      'k: {a: 1,',
      '}',
      '# c',
      '',
      '---',
      '...',
      '- &x a',
      '- *x',
      'k: &x v',
      'k: *x',
      'tests: []',
      '? k',
      ': v',
      '%TAG ! x:',
      'k: a',
      '- - a',
      '"tests":',
    );
    const indented = fc
      .tuple(fc.constantFrom(0, 0, 2, 2, 2, 4, 4, 1, 6), line)
      .map(([n, text]) => ' '.repeat(n) + text);
    let cut = 0;
    const property = fc.property(fc.array(indented, { maxLength: 7 }), (lines) => {
      const text = ['tests:', '  - id: z', ...lines].join('\n');
      const parts = contents(text, 'parts');
      if (typeof parts === 'object') cut += 1;
      return parts === 'uncut' || isDeepStrictEqual(parts, contents(text, 'whole'));
    });
    expect(fc.check(property, { numRuns: 1500 }).counterexample).toBeNull();
    expect(cut).toBeGreaterThan(50);
  });
});

test('a text whose aliases expand too far is refused', () => {
  const levels = Array.from(
    { length: 9 },
    (_, i) =>
      `x-${i}: &a${i} [${Array(10)
        .fill(i === 0 ? 'y' : `*a${i - 1}`)
        .join(', ')}]`,
  );
  expect(contents([...levels, 'tests: [*a8]'].join('\n'), 'whole')).toBe('alias-bomb');
});
