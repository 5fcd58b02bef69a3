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

  test('may hold numbers', async () => {
    const [row] = await database().query('select $1::text::int[] as numbers', [arrayText([1, -2, 3])]);
    expect(row).toEqual({ numbers: [1, -2, 3] });
  });
});
