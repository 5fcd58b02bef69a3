import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { findExplained } from './find-explain.ts';

test.each([
  ['gone', 'folder not found: gone', 'name the folder of an attempt; the report of the run shows its path'],
  [
    '.',
    'no explain.json found in . or below',
    'name the folder of an attempt that failed on an assertion such as assert.commands.includes',
  ],
])('%j is refused with what to name instead', (directory, message, hint) => {
  const cwd = mkdtempSync(join(tmpdir(), 'explain-'));
  expect(() => findExplained(directory, cwd)).toThrow(
    expect.objectContaining({ code: 'explain-nothing', message, hint }),
  );
});
