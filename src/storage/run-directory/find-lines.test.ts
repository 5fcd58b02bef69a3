import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';

import { linesWith } from './find-lines.ts';
import { all, scratch } from './fixtures/runs.ts';

const { folder, clear } = scratch();
afterEach(clear);

async function found(text: string, marks: readonly string[]): Promise<readonly string[]> {
  const path = join(folder(), 'lines');
  writeFileSync(path, text);
  return (await all(linesWith(path, marks))).map(String);
}

test('lines with any of the marks are found, each once, in order', async () => {
  const text = 'one\ntwo and one\n\nthree\none two one\ntwo\n';
  expect(await found(text, ['two', 'one'])).toEqual(['one', 'two and one', 'one two one', 'two']);
});

test('an incomplete last line is ignored', async () => {
  expect(await found('one\none', ['one'])).toEqual(['one']);
});

test('a missing file has no lines', async () => {
  expect(await all(linesWith(join(folder(), 'missing'), ['x']))).toEqual([]);
});

test('lines that are longer than what is read at once are whole, and so are their neighbours', async () => {
  const long = `mark ${'ü'.repeat(3 << 20)}`;
  const between = 'x'.repeat((1 << 20) - 7);
  expect(await found(`${between}\nmark\n${long}\nmark again\n`, ['mark'])).toEqual([
    'mark',
    long,
    'mark again',
  ]);
});

test('for any text, the found lines are those that contain a mark', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', 'ü', ' ') });
  const marks = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'ü'), minLength: 1 }), {
    minLength: 1,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(line), marks, async (lines, sought) => {
      const text = lines.map((each) => `${each}\n`).join('');
      expect(await found(text, sought)).toEqual(
        lines.filter((each) => sought.some((mark) => each.includes(mark))),
      );
    }),
  );
});
