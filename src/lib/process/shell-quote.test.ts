import { expect, test } from 'vitest';
import { decodeUtf8 } from './decode-utf8.ts';
import { runProcess } from './run-process.ts';
import { shellQuote } from './shell-quote.ts';

test('a shell gives the very same text back', async () => {
  const words = [
    '',
    'plain',
    "it's",
    `'"'`,
    '$HOME `id` $(id) \\ !x',
    'two\nlines\n',
    '-n',
    '~',
    '*',
    'é😀',
    "'",
  ];
  const shell = `printf '%s\\0' ${words.map(shellQuote).join(' ')}`;
  const { signal } = new AbortController();
  const result = await runProcess({ command: { shell }, cwd: '/', env: { HOME: '/x' } }, signal);
  expect(decodeUtf8(result.stdout)).toBe(words.map((word) => `${word}\0`).join(''));
});
