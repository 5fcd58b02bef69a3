import { expect, test } from 'vitest';

import { renamed, restored } from './renamed.ts';

const NAMES = { tagAny: 'tag_any', ids: 'id', set: 'set' } as const;

test('values get other names, and their own names back', () => {
  const other = renamed({ tagAny: ['a'], ids: undefined, more: 1 }, NAMES);
  expect(other).toEqual({ tag_any: ['a'] });
  expect(restored({ ...other, id: 'x', other: 2 }, NAMES)).toEqual({ tagAny: ['a'], ids: 'x' });
});
