import { expect, test } from 'vitest';

import { wayWithin } from './way-within.ts';

test('the way to a place in a folder is found, names that begin with dots included', () => {
  const ways = ['/a/b', '/a/b/c/d', '/a/b/..c', '/a/b/../b/c', '/a', '/a/bc', '/a/b/../c', '/'].map((path) =>
    wayWithin('/a/b', path),
  );
  expect(ways).toEqual(['', 'c/d', '..c', 'c', undefined, undefined, undefined, undefined]);
});
