import { expect, test } from 'vitest';

import { columnsOf, cutToColumns, oneLine, padToColumns, stripControls, stripLine } from './terminal-text.ts';

test.each([
  ['colours', 'a\u001b[1;31mred\u001b[0m', 'ared'],
  ['cursor movements', '\u001b[2J\u001b[Hx\u001b[?25l', 'x'],
  ['window titles', '\u001b]0;owned\u0007x\u001b]2;owned\u001b\\y', 'xy'],
  ['links', '\u001b]8;;http://evil\u001b\\text\u001b]8;;\u001b\\', 'text'],
  ['device strings', '\u001bPq#0;2\u001b\\x\u001b_app\u001b\\', 'x'],
  ['eight-bit introducers', '\u009b31mx\u009d0;t\u0007y', 'xy'],
  ['short sequences', '\u001bc\u001b(Bx\u001b7', 'x'],
  ['bells, backspaces and deletes', 'a\u0007b\u0008c\u007f\u0000d', 'abcd'],
  ['carriage returns', 'safe\rrm -rf\r\nend', 'safe\nrm -rf\nend'],
  ['direction overrides', 'a\u202eb\u2066c\u200f\u061c', 'abc'],
  ['invisible characters', 'a\u200bb\u{e0041}c\ufeff', 'abc'],
])('%s are taken out', (_, text, expected) => {
  expect(stripControls(text)).toBe(expected);
});

test('a sequence that never ends does not swallow what follows', () => {
  expect(stripControls('\u001b]0;title and more text')).toBe(']0;title and more text');
  expect(stripControls('x\u001b')).toBe('x');
});

test('taking a sequence out never makes another one', () => {
  const text = stripControls('\u001b\u001b[31m[31m\u001b\u001b]0;\u0007]0;x\u0007');
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
});

test('tabs, line feeds and the writing of all languages stay', () => {
  expect(stripControls('a\tb\nÄÖ 漢字 مرحبا 👩‍💻')).toBe('a\tb\nÄÖ 漢字 مرحبا 👩‍💻');
});

// Were each of them looked for to the end of the text, this would go on for minutes.
test('a megabyte of unfinished sequences is read once', () => {
  expect(stripControls('\u001b]'.repeat(500_000))).toBe(']'.repeat(500_000));
  expect(stripControls('\u001b[' + '0'.repeat(1_000_000))).toHaveLength(1_000_001);
});

test('columns are counted as a terminal shows them', () => {
  expect(['abc', 'Ä', '漢字', '👍', 'e\u0301', ''].map(columnsOf)).toEqual([3, 1, 4, 2, 1, 0]);
});

test('a cut line has a mark and fits', () => {
  expect(cutToColumns('abcdef', 6)).toBe('abcdef');
  expect(cutToColumns('abcdef', 5)).toBe('abcd…');
  expect(cutToColumns('漢字漢', 5)).toBe('漢字…');
  expect(cutToColumns('漢字漢', 4)).toBe('漢…');
  expect(cutToColumns('', 0)).toBe('');
});

test('a text on one line keeps its blanks and breaks nowhere', () => {
  expect(stripLine('  a\u001b]0;title\u0007  b\r\nc\td\u2028\u202e')).toBe('  a  b c d');
});

test('one line is clean, collapsed and cut', () => {
  expect(oneLine('  a\u001b[31m\n\n b\tc ', 20)).toBe('a b c');
  expect(columnsOf(oneLine('x'.repeat(1_000_000), 30))).toBe(30);
});

test('padding fills up to the columns', () => {
  expect(padToColumns('漢', 4)).toBe('漢  ');
  expect(padToColumns('abcdef', 4)).toBe('abcdef');
});
