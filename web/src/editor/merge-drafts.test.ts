import { expect, test } from 'vitest';

import { EMPTY_DRAFT } from './draft.ts';
import { mergeDrafts } from './merge-drafts.ts';

test('changes of others are taken, own ones are kept, and those of both are told', () => {
  const base = { ...EMPTY_DRAFT, name: 'a', tags: 'x', description: 'old' };
  const own = { ...base, name: 'mine', initial_message: 'same', description: 'own' };
  const theirs = { ...base, name: 'theirs', initial_message: 'same', tags: 'y' };
  expect(mergeDrafts(own, base, theirs)).toEqual({
    draft: { ...base, name: 'mine', initial_message: 'same', description: 'own', tags: 'y' },
    conflicts: ['name'],
  });
});
