import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ownStatusAt, statusAt } from './file-status.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

test('an impossible path has no status', () => {
  const folder = folderOfTest('assay-status-');
  writeFileSync(join(folder, 'file'), 'x');
  symlinkSync('circle', join(folder, 'circle'));
  const kinds = ['file', 'file/below', 'gone', 'circle', 'x'.repeat(5000), 'a\0b'].map((name) => {
    const path = join(folder, name);
    return [statusAt(path)?.isFile(), ownStatusAt(path)?.isSymbolicLink()];
  });
  expect(kinds).toEqual([
    [true, false],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, true],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});
