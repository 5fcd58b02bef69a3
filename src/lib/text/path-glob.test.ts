import { expect, test } from 'vitest';

import { hasFaultyRange, pathGlob } from './path-glob.ts';

const paths = [
  'a.ts',
  'b.TS',
  '.env',
  'src/a.ts',
  'src/deep/er/a.ts',
  'src/[x].ts',
  'tests/a.ts',
  'tests/.hidden/b',
  'tests2/a.ts',
  'x{y}.ts',
];

const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
  [[], []],
  [['*.ts'], ['a.ts', 'x{y}.ts']],
  [
    ['**/*.ts'],
    ['a.ts', 'src/a.ts', 'src/deep/er/a.ts', 'src/[x].ts', 'tests/a.ts', 'tests2/a.ts', 'x{y}.ts'],
  ],
  [['tests/**'], ['tests/a.ts', 'tests/.hidden/b']],
  [['tests'], ['tests/a.ts', 'tests/.hidden/b']],
  [['./tests/'], ['tests/a.ts', 'tests/.hidden/b']],
  [['/tests'], ['tests/a.ts', 'tests/.hidden/b']],
  [
    ['test?/a.ts', '.env'],
    ['.env', 'tests/a.ts'],
  ],
  [['src/**/a.ts'], ['src/a.ts', 'src/deep/er/a.ts']],
  [['{tests,tests2}/a.*'], ['tests/a.ts', 'tests2/a.ts']],
  [['[ab].{ts,TS}'], ['a.ts', 'b.TS']],
  [['[!a].TS'], ['b.TS']],
  [['src/\\[x\\].ts'], ['src/[x].ts']],
  [['x\\{y}.ts'], ['x{y}.ts']],
  [['[z-a]'], []],
  [['*'], paths],
  [['src/*/a.ts'], []],
];

test.each(cases)('%j', (globs, expected) => {
  expect(paths.filter(pathGlob(globs))).toEqual(expected);
});

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'src/a.ts', false],
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'src/deep/a.ts', true],
  ['src/**', 'src/deep/a.ts', true],
  ['src/**', 'srcs/a.ts', false],
  ['src/', 'src/a.ts', true],
  ['./src/a.ts', 'src/a.ts', true],
  ['a?.ts', 'ab.ts', true],
  ['a?.ts', 'a/.ts', false],
  ['[ab].ts', 'b.ts', true],
  ['[!ab].ts', 'b.ts', false],
  ['[!ab].ts', 'c.ts', true],
  ['src[!a]b.ts', 'src/b.ts', false],
  ['src[+-9]b.ts', 'src/b.ts', false],
  ['[!-a].ts', 'b.ts', true],
  ['[!-a].ts', '-.ts', false],
  ['[]a].ts', '].ts', true],
  ['[^].ts', '^.ts', true],
  ['[]', '[]', true],
  ['*.{ts,js}', 'a.js', true],
  ['{src,{a,b}}/*.ts', 'b/x.ts', true],
  ['{a', '{a', false],
  ['a}', 'a}', true],
  ['a.b', 'axb', false],
  ['a+(b)', 'a+(b)', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['**', '.git/config', true],
  ['*', '.env', true],
])('%j and %j: %s', (glob, path, expected) => {
  expect(pathGlob([glob])(path)).toBe(expected);
});

test.each([
  ['[z-a]', true],
  ['[a-z]', false],
  ['x[', false],
])('an invalid range is reported: %j, %s', (glob, expected) => {
  expect(hasFaultyRange(glob)).toBe(expected);
});
