import { expect, test } from 'vitest';

import { pathGlob } from './path-glob.ts';

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
