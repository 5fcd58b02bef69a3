import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { given } from '../lib/given.ts';
import { matches } from './bounded-regexp.ts';
import { costOf } from './regexp-cost.ts';
import { regex } from './regex.ts';
import { findingOf, problemsOf } from './subject.fixture.ts';

describe('regex', () => {
  test('names the pattern that matched, or the actual answer', async () => {
    expect(await findingOf(regex, { value: '^\\d+$' }, { answer: '123' })).toEqual({
      score: 1,
      reason: 'the answer matches /^\\d+$/',
    });
    expect(await findingOf(regex, { value: '^yes$', flags: 'i' }, { answer: 'no' })).toEqual({
      score: 0,
      reason: 'expected the answer to match /^yes$/i; the answer is "no"',
    });
  });

  test.each([
    ['/HELLO/i', undefined, 'say hello', '/HELLO/i'],
    ['/^say/', 'i', 'SAY it', '/^say/i'],
    ['/a.c/s', 's', 'a\nc', '/a.c/s'],
    ['/home/me/is', undefined, 'in /home/me/is it', '//home/me/is/'],
  ])('reads %s with the flags %s as the other graders do', async (value, flags, answer, shown) => {
    const finding = await findingOf(regex, { value, ...given({ flags }) }, { answer });
    expect(finding).toEqual({ score: 1, reason: `the answer matches ${shown}` });
  });

  test('remembers no position of an earlier match', async () => {
    for (const flags of ['g', 'y']) {
      for (const attempt of [1, 2, 3]) {
        expect([attempt, (await findingOf(regex, { value: 'a', flags }, { answer: 'a' })).score]).toEqual([
          attempt,
          1,
        ]);
      }
    }
  });

  test('an invalid pattern or flag is a problem of its key', () => {
    expect(problemsOf(regex, { value: '(' })).toEqual([
      'value: invalid regular expression: /(/: Unterminated group',
    ]);
    expect(problemsOf(regex, { value: 'a', flags: 'x' })).toEqual([
      'flags: invalid regular expression flags: "x"',
    ]);
    expect(problemsOf(regex, { value: '/(/i' })).toEqual([
      'value: invalid regular expression: /(/i: Unterminated group',
    ]);
    expect(problemsOf(regex, { value: '' })).toEqual(['value: must not be empty: every answer would pass']);
  });

  test.each(['(a|aa)+$', '(?:a?){30}a{30}$', '([a-z]+)*\\1$'])(
    'the catastrophic %s ends with an error that says what to do',
    async (value) => {
      const answer = `${'a'.repeat(39)}!`;
      await expect(findingOf(regex, { value }, { answer })).rejects.toThrow(
        /took more than 1000 ms.*rewrite it/,
      );
    },
  );

  test('a pattern that is slow only on a long text runs under the watchdog too', async () => {
    const answer = 'a'.repeat(60_000);
    await expect(findingOf(regex, { value: 'a*a*a*b' }, { answer })).rejects.toThrow(/60000 characters/);
  });

  test('after a catastrophic pattern the next one works', () => {
    expect(() => matches('(a+)+$', '', `${'a'.repeat(39)}!`)).toThrow(/took more than/);
    expect(matches('(a+)+$', '', 'aaa')).toBe(true);
    expect(matches('(a|b)+$', '', '!')).toBe(false);
  });

  test('is named after the first 30 characters of the pattern', () => {
    expect(regex.nameOf?.({ value: 'a{2}' })).toBe('regex-a{2}');
  });
});

describe('cost of a pattern', () => {
  test.each([
    ['DENIED', 10, 11 * 7],
    ['a+', 9, 100 * 3],
    ['^\\d{4}-\\d{2}$', 9, 10 * 12],
    ['a{2,4}', 9, 10 * 3 * 6],
    ['[^]]*', 9, 100 * 3],
    ['yes|no', 9, 10 * 2 * 7],
    ['(ab)*', 9, 100 * 5],
    ['(foo|bar)+', 9, 100 * 2 * 20],
    ['(?:x(a|b)|\\.)*', 9, 100 * 4 * 11],
  ])('%s on %d characters is at most %d steps', (pattern, length, steps) => {
    expect(costOf(pattern, '')?.(length)).toBe(steps);
  });

  test.each([
    ['(a+)+', ''],
    ['(a|ab)*', ''],
    ['(a|\\w)*', ''],
    ['(a|)*', ''],
    ['(?:(a|ab)c)*', ''],
    ['(a|A)*', 'i'],
    ['(?:a|b+)*', ''],
    ['(?:a?){9}', ''],
    ['((a{1,2})b){2}', ''],
    ['(a)\\1', ''],
    ['(?<n>a)\\k<n>', ''],
    ['[a--b]', 'v'],
  ])('%s has no useful bound', (pattern, flags) => {
    expect(costOf(pattern, flags)).toBeUndefined();
  });

  test('is above the steps a plain backtracking search takes', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '[ab]',
      '.',
      'a*',
      'b+',
      '.*',
      'a?',
      'a{1,3}',
      '(?:ab)*',
      '(?:a|b)',
      '(?:ab|a)?',
      '(?:a|b)*',
      '(?:ab|b){0,2}',
    );
    fc.assert(
      fc.property(
        fc.array(atom, { minLength: 1, maxLength: 5 }),
        fc.stringMatching(/^[ab]{0,8}$/),
        (atoms, text) => {
          const bound = costOf(`${atoms.join('')}c`, '')?.(text.length) ?? 0;
          expect(stepsOf(atoms, text)).toBeLessThanOrEqual(bound);
        },
      ),
    );
  });
});

/** Steps of trying every way to match the atoms and then a letter that never comes, from every start. */
function stepsOf(atoms: readonly string[], text: string): number {
  let steps = 0;
  const from = (index: number, at: number): void => {
    steps += 1;
    const atom = atoms[index];
    if (atom === undefined) return;
    for (let end = at; end <= text.length; end++) {
      if (new RegExp(`^(?:${atom})$`).test(text.slice(at, end))) from(index + 1, end);
    }
  };
  for (let start = 0; start <= text.length; start++) from(0, start);
  return steps;
}
