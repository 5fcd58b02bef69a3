import { expect, test } from 'vitest';

import { cutText, lineText } from './cut.ts';

test('a short text is shown whole', () => {
  expect(cutText('two\nlines', 100)).toEqual({ shown: 'two\nlines', rest: 0 });
});

test('a long text is cut and never within a character', () => {
  expect(cutText('ab😀cd', 3)).toEqual({ shown: 'ab', rest: 4 });
});

test('a text of many lines is cut after 60 of them', () => {
  const lines = Array.from({ length: 100 }, (_, i) => `line ${i}`);
  expect(cutText(lines.join('\n'), 10_000)).toEqual({
    shown: lines.slice(0, 60).join('\n'),
    rest: lines.slice(60).join('\n').length + 1,
  });
});

test('the line of a table has no line breaks and an end', () => {
  expect(lineText('a\n\n b', 10)).toBe('a b');
  expect(lineText('x'.repeat(50), 10)).toBe(`${'x'.repeat(10)}…`);
});
