import { expect, test } from 'vitest';

import { mergeTexts } from './merge-texts.ts';

const base = { name: 'a', note: 'b', config: 'c' };

test('changes of both sides to different fields stand together', () => {
  expect(mergeTexts({ ...base, name: 'mine' }, base, { ...base, note: 'theirs' })).toEqual({
    texts: { name: 'mine', note: 'theirs', config: 'c' },
    conflicts: [],
  });
});

test('a field that both changed keeps the own text and is a conflict, unless both wrote the same', () => {
  const own = { ...base, name: 'mine', note: 'same' };
  const theirs = { ...base, name: 'theirs', note: 'same' };
  expect(mergeTexts(own, base, theirs)).toEqual({ texts: own, conflicts: ['name'] });
});
