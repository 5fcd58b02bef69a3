import { expect, test } from 'vitest';

import { textFile } from './prompt-file.ts';

test.each([
  ['file://a b.json', 'a b.json'],
  ['./a', './a'],
  ['../a', '../a'],
  ['questions/a.md', 'questions/a.md'],
  ['a.txt\n', 'a.txt'],
])('%j names a file', (text, file) => {
  expect(textFile(text)).toBe(file);
});

test.each([
  'Read notes.txt',
  '/compact',
  '/etc/notes.txt',
  '@notes.md',
  '--help.md',
  '.md',
  'a',
  './a b',
  '',
])('%j is the prompt itself', (text) => {
  expect(textFile(text)).toBeUndefined();
});
