import { expect, test } from 'vitest';

import { builtHelp } from './built-help.ts';

test.each([
  [['node', 'assay', 'run', '--help']],
  [['node', 'assay', '--help', 'run']],
  [['node', 'assay', '-v']],
  [['node', 'assay']],
])('%j is for the commands to answer', (argv) => {
  expect(builtHelp(argv)).toBeUndefined();
});

test('a program that was not built has no written help', () => {
  expect(builtHelp(['node', 'assay', '--help'])).toBeUndefined();
});
