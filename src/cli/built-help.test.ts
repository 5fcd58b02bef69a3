import { expect, test } from 'vitest';

import { printBuiltHelp } from './built-help.ts';

test.each([
  [['node', 'assay', 'run', '--help']],
  [['node', 'assay', '--help', 'run']],
  [['node', 'assay', '-v']],
  [['node', 'assay']],
])('%j is for the commands to answer', (argv) => {
  expect(printBuiltHelp(argv)).toBe(false);
});

test('a program that was not built has no written help', () => {
  expect(printBuiltHelp(['node', 'assay', '--help'])).toBe(false);
});
