import { expect, test } from 'vitest';

import { changeOf, mergedNames, type Names } from './names.ts';

const BASE: Names = { name: 'first', line: 'nightly', tags: 'a\nb', note: '' };

test('only what differs is sent, and an empty text clears the value', () => {
  expect(changeOf({ ...BASE, name: ' ', tags: 'a\n\n c ' }, BASE)).toEqual({ name: null, tags: ['a', 'c'] });
});

test('what only one of two people changed is kept, and what both changed is a conflict', () => {
  const draft = { ...BASE, name: 'mine', note: 'my note' };
  const theirs = { ...BASE, name: 'theirs', line: 'weekly' };
  expect(mergedNames({ draft, base: BASE, theirs })).toEqual({
    draft: { name: 'mine', line: 'weekly', tags: 'a\nb', note: 'my note' },
    conflicts: ['name'],
  });
});
