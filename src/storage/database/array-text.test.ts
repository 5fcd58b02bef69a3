import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../test/support/databases.ts';
import { arrayText } from './array-text.ts';

onBothDatabases('a list in one text', (database) => {
  test.each<readonly (readonly string[])[]>([
    [[]],
    [['']],
    [['a', 'NULL', '', ' b ', 'a\nb', '{c,d}', "it's"]],
    [['"', '\\', 'a"b\\c', '\\"', '漢', '\u{1F600}']],
  ])('is read back as it was: %j', async (values) => {
    const [row] = await database().query<{ texts: readonly string[] }>('select $1::text::text[] as texts', [
      arrayText(values),
    ]);
    expect(row?.texts).toEqual(values);
  });

  test('is read with its nulls', async () => {
    const [row] = await database().query(
      `select array['NULL', null, 'a', '', '"', '\\', 'a,b'] as some, array[null, 'x'] as few`,
    );
    expect(row).toEqual({ some: ['NULL', null, 'a', '', '"', '\\', 'a,b'], few: [null, 'x'] });
  });

  test('is read as the database writes it, with any texts', async () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom('"', '\\', ',', '{', '}', ' ', '\n', 'N', 'a') }),
      fc.constantFrom('NULL', 'null', ''),
      fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(texts), async (values) => {
        const [row] = await database().query(
          `select array(select json_array_elements_text($1::text::json)) as texts`,
          [JSON.stringify(values)],
        );
        expect(row).toEqual({ texts: values });
      }),
    );
  });

  test.each([
    ['quotes', '"'],
    ['backslashes', '\\'],
    ['letters', 'a'],
  ])('has texts of several MB of %s', async (_, letter) => {
    const [row] = await database().query(`select array[repeat($1, 5000000), 'a b'] as texts`, [letter]);
    expect(row).toEqual({ texts: [letter.repeat(5_000_000), 'a b'] });
  });

  test('may hold numbers', async () => {
    const [row] = await database().query('select $1::text::int[] as numbers', [arrayText([1, -2, 3])]);
    expect(row).toEqual({ numbers: [1, -2, 3] });
  });
});
