import { describe, expect, test } from 'vitest';

import { matchesAny, tagsSelect } from './selection.ts';

describe('matchesAny', () => {
  test.each<[string, readonly string[], boolean]>([
    ['login', ['login'], true],
    ['login', ['logi'], false],
    ['login', [], false],
    ['login', ['nope', 'log*'], true],
    ['login', ['*'], true],
    ['login', ['l?gin'], true],
    ['login', ['l?in'], false],
    ['a/b/c', ['a*c'], true],
    ['a\nb', ['a*b'], true],
    ['a.c', ['a.c'], true],
    ['abc', ['a.?'], false],
    ['a+b(c)[d]{e}^$|\\', ['a+b(c)[d]{e}^$|\\*'], true],
    ['what*', ['what*'], true],
    ['Login', ['login'], false],
    ['😀', ['?'], true],
    ['abcbc', ['a*bc'], true],
    ['abcbcd', ['a*bc'], false],
    ['', ['*'], true],
    ['', ['**'], true],
    ['ab', ['a**b**'], true],
    ['aab', ['*ab'], true],
    ['x', ['?*'], true],
    ['x', ['*??'], false],
  ])('%j by %j is %s', (id, patterns, expected) => {
    expect(matchesAny(id, patterns)).toBe(expected);
  });

  // With backtracking over every star this would go on for days.
  test('terminates for a pattern with many stars', () => {
    expect(matchesAny('a'.repeat(60), ['*a*a*a*a*a*a*a*a*a*a*a*a*b'])).toBe(false);
  });
});

describe('tagsSelect', () => {
  const select = (own: readonly string[], tags: readonly string[], excludeTags: readonly string[] = []) =>
    tagsSelect(own, { tags, excludeTags });

  test('without tags every case is selected', () => {
    expect([select([], []), select(['a'], [])]).toEqual([true, true]);
  });

  test('one of the named tags is enough', () => {
    expect([select(['a', 'b'], ['b', 'c']), select(['a'], ['b', 'c']), select([], ['b'])]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('an excluded tag wins over a named one', () => {
    expect([select(['a', 'slow'], ['a'], ['slow']), select(['a'], ['a'], ['slow'])]).toEqual([false, true]);
  });

  test('tags are case-sensitive', () => {
    expect(select(['A'], ['a'])).toBe(false);
  });
});
