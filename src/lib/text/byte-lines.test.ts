import { expect, test } from 'vitest';

import { byteLines } from './byte-lines.ts';

const linesOf = async (chunks: readonly string[], most = 100): Promise<readonly string[]> => {
  const lines: string[] = [];
  const content = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk, 'latin1');
  })();
  for await (const line of byteLines(content, most)) lines.push(line);
  return lines;
};

test('lines end at line breaks, wherever the chunks end', async () => {
  expect(await linesOf(['a\nb', 'c\n', '\nd'])).toEqual(['a', 'bc', '', 'd']);
  expect(await linesOf(['a\n'])).toEqual(['a']);
  expect(await linesOf([])).toEqual([]);
  // A character in two chunks.
  expect(await linesOf(['\xc3', '\xa4\n'])).toEqual(['ä']);
});

test('a line that is too long is refused before it is held whole', async () => {
  expect(await linesOf(['1234\n', '12', '34\n'], 4)).toEqual(['1234', '1234']);
  await expect(linesOf(['1234', '5'], 4)).rejects.toThrow('a line has more than 4 bytes');
});
