import { expect, test } from 'vitest';

import { findExplained } from './find-explain.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

test.each([
  ['gone', 'folder not found: gone', 'name the folder of an attempt; the report of the run shows its path'],
  [
    '.',
    'no explain.json found in . or below',
    'name the folder of an attempt that failed on an assertion such as assert.commands.includes',
  ],
])('%j is refused with what to name instead', (directory, message, hint) => {
  const cwd = folderOfTest('explain-');
  expect(() => findExplained(directory, cwd)).toThrow(
    expect.objectContaining({ code: 'explain-nothing', message, hint }),
  );
});
