import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { shellQuote } from '../process/shell-quote.ts';
import { leavesOf } from './leaves.ts';
import { shellParts } from './words.ts';

/** The words of each leaf. */
function leaves(text: string): readonly (readonly string[])[] {
  return leavesOf(text).map(({ command }) => [command.executable, ...command.args]);
}

describe('leaves of a command text', () => {
  test.each<[string, readonly (readonly string[])[]]>([
    ['ls -l', [['ls', '-l']]],
    [`a "b c" 'd e' f\\ g h"i"'j'`, [['a', 'b c', 'd e', 'f g', 'hij']]],
    ['cmd ""', [['cmd', '']]],
    [
      'cd x && pnpm test',
      [
        ['cd', 'x'],
        ['pnpm', 'test'],
      ],
    ],
    ['a | b > c; d &', [['a'], ['b'], ['d']]],
    ['a\nb # c && d\ne', [['a'], ['b'], ['e']]],
    ['a#b', [['a#b']]],
    ['(a; b) || c', [['a'], ['b'], ['c']]],
    ['echo "a && rm b"', [['echo', 'a && rm b']]],
    ["cat > f <<'E'\nrm x\nE\nls", [['cat'], ['ls']]],
    ['cat <<-E | sort\n\trm x\n\tE\nls', [['cat'], ['sort'], ['ls']]],
    ['cat <<< "x y" f', [['cat', 'f']]],
    ['a 2>&1 >/dev/null b &> c', [['a', 'b']]],
    ['a 2 > c', [['a', '2']]],
    ['FOO=1 BAR="x y" pnpm test', [['pnpm', 'test']]],
    ['if true; then a; else b; fi', [['true'], ['a'], ['b']]],
    ['while ! a; do { b; }; done', [['a'], ['b']]],
    ["'if' x", [['if', 'x']]],
    [
      'if [[ -f x && ( -d y || $a < b ) ]] && c; then d; fi',
      [['[[', ...'-f x && ( -d y || $a < b ) ]]'.split(' ')], ['c'], ['d']],
    ],
    ['[[ -f x && a', [['[[', '-f', 'x'], ['a']]],
    ['for f in a b; do rm $f; done; for x do y; done', [['rm', '$f'], ['y']]],
    ['for f in $(ls); do a; done', [['ls'], ['a']]],
    ['select f in a b; do c; done', [['c']]],
    ['for ((i=0;i<3;i++)); do a; done; b', [['a'], ['b']]],
    ['for (( ; ; )) do a; done', [['a']]],
    ['while ((i<3)); do a; ((i++)); done', [['a']]],
    ['((a)); ((b); c)', [['b'], ['c']]],
    ['{ a; b; } | c; d', [['a'], ['b'], ['c'], ['d']]],
    ['function f { a x; }; function g() { b; }', [['a', 'x'], ['b']]],
    ['case $(a) in x|y) b;; (*) c; esac; d', [['a'], ['b'], ['c'], ['d']]],
    ['case a in a) case b in b) c;; esac;; *) d;& esac && e', [['c'], ['d'], ['e']]],
    [
      'echo $(rm x) "y $(ls -l) z"',
      [
        ['echo', '$(rm x)', 'y $(ls -l) z'],
        ['rm', 'x'],
        ['ls', '-l'],
      ],
    ],
    [
      'echo `rm x`',
      [
        ['echo', '`rm x`'],
        ['rm', 'x'],
      ],
    ],
    ['echo ${A:-b c} $((1 + 2))', [['echo', '${A:-b c}', '$((1 + 2))']]],
    [
      'diff <(sort a) b',
      [
        ['diff', '<(sort a)', 'b'],
        ['sort', 'a'],
      ],
    ],
    ['a \\\n b', [['a', 'b']]],
    ["echo $'a\\nb'", [['echo', 'a\nb']]],
    ['A=1', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(leaves(text)).toEqual(expected);
  });

  test.each<[string, readonly (readonly string[])[]]>([
    ['bash --norc -c "x y"', [['x', 'y']]],
    ['bash -o pipefail -c "x y"', [['x', 'y']]],
    ['bash -eo pipefail -c "x y" name arg', [['x', 'y']]],
    ['sh script.sh -c foo', [['sh', 'script.sh', '-c', 'foo']]],
    [`bash -lc 'sh -c "ls -l"'`, [['ls', '-l']]],
    ['env A=1 bash -c "ls -l"', [['ls', '-l']]],
    ['env -u A -i ls', [['ls']]],
    ['sudo -u ci /bin/zsh -lc "ls -l"', [['ls', '-l']]],
    ['files=(a.ts "b c" d) x; cat', [['x'], ['cat']]],
    ['local -a found+=(a; b) && ls', [['local', '-a', 'found+=(a; b)'], ['ls']]],
    ['a=($(ls -l) `id`); rm "${a[@]}"', [['ls', '-l'], ['id'], ['rm', '${a[@]}']]],
    ['sudo --user ci -En ls', [['ls']]],
    ['timeout -s KILL 60 pnpm test', [['pnpm', 'test']]],
    ['timeout --signal=KILL 60 pnpm test', [['pnpm', 'test']]],
    ['nice -n 5 nohup time -p ls', [['ls']]],
    ['command -v git', [['command', '-v', 'git']]],
    ['command git status', [['git', 'status']]],
    ['exec -a name ls', [['ls']]],
    ['sh -c "a && b; c"', [['a'], ['b'], ['c']]],
    ['constructor x', [['constructor', 'x']]],
    ['sudo', [['sudo']]],
    ['sh -c ""', [['sh', '-c', '']]],
  ])('opens the wrappers of %j', (text, expected) => {
    expect(leaves(text)).toEqual(expected);
  });

  test('keeps information about quotes, the redirected input, and the shell of a leaf', () => {
    const bare = (text: string) => ({ text, quoted: false, bareLength: text.length, varies: false });
    expect(leavesOf('A=1 cat < "f g" \'$x\' $x (b)')).toEqual([
      {
        command: { executable: 'cat', args: ['$x', '$x'] },
        wrappers: [],
        words: [
          bare('cat'),
          { text: '$x', quoted: true, bareLength: 0, varies: false },
          { text: '$x', quoted: false, bareLength: 2, varies: true },
        ],
        inputs: [{ text: 'f g', quoted: true, bareLength: 0, varies: false }],
        scope: [],
      },
      { command: { executable: 'b', args: [] }, wrappers: [], words: [bare('b')], inputs: [], scope: ['(1'] },
    ]);
  });

  test('keeps the wrappers around a leaf, inside first', () => {
    expect(leavesOf('sudo sh -c "ls"')).toMatchObject([
      {
        command: { executable: 'ls', args: [] },
        wrappers: [
          { executable: 'sh', args: ['-c', 'ls'] },
          { executable: 'sudo', args: ['sh', '-c', 'ls'] },
        ],
        scope: ['#0'],
      },
    ]);
  });

  test('opens five wrappers and no more', () => {
    expect(leaves('env env env env env ls')).toEqual([['ls']]);
    expect(leaves('env env env env env env ls')).toEqual([['env', 'ls']]);
  });

  test('a quote that is never closed ends with the text and is marked', () => {
    expect(leavesOf('echo "open').map(({ command }) => command)).toEqual([
      { executable: 'echo', args: ['open'], incomplete: true },
    ]);
  });

  test.each([
    'rm ab ab ',
    '$(',
    '"$(',
    '${',
    '((',
    '{,',
    'function f ',
    'if ',
    '[[ a && ',
    '[[ a && b ]] && ',
    'case a in ',
    '{ a & ',
  ])('reads %j as often as an argument can hold it', (piece) => {
    expect(Array.isArray(leavesOf(piece.repeat(120_000 / piece.length)))).toBe(true);
  });

  test('never fails and loses no plain word, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab "\'\\$(){}<>|&;`#\n!') }), (text) => {
        expect(Array.isArray(leavesOf(text))).toBe(true);
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), ([program = '', ...args]) => {
        const text = [`p${program}`, ...args].map(shellQuote).join(' ');
        expect(leavesOf(text)[0]?.words.map((each) => each.text)).toEqual([`p${program}`, ...args]);
      }),
    );
    const word = fc.stringMatching(/^[a-z0-9._-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        expect(shellParts(words.join(' '))).toEqual([
          {
            words: words.map((text) => ({ text, quoted: false, bareLength: text.length, varies: false })),
            inputs: [],
            subshells: [],
            substitutions: [],
            incomplete: false,
          },
        ]);
      }),
    );
  });
});
