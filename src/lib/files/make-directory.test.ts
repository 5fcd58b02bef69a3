import { statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folderOfTest } from '../../../test/support/test-folders.ts';
import { makeDirectory } from './make-directory.ts';

test('missing parents are created too, for their owner only', () => {
  const root = folderOfTest('assay-make-');
  makeDirectory(join(root, 'a', 'b'));
  makeDirectory(join(root, 'a', 'b'));
  expect(['a', 'a/b'].map((name) => statSync(join(root, name)).mode & 0o777)).toEqual([0o700, 0o700]);
});

test('an impossible path is refused at once', () => {
  expect(() => makeDirectory('/proc/assay/runs')).toThrow(/ENOENT|EACCES|EPERM|EROFS/);
});
