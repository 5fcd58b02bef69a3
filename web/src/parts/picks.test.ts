import { expect, test } from 'vitest';

import { afterClick } from './picks.ts';

test.each([
  [[], 'a', ['a']],
  [['a'], 'b', ['a', 'b']],
  [['a', 'b'], 'c', ['b', 'c']],
  [['a', 'b'], 'a', ['b']],
])('of %j a click on %s leaves %j', (picked, clicked, left) => {
  expect(afterClick(picked, clicked)).toEqual(left);
});
