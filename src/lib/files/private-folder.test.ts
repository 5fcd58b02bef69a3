import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { isOwnFolder, makePrivateFolder } from './private-folder.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const scratch = () => folderOfTest('private-folder-');

test('a private folder is made for its owner alone, and used again', () => {
  const path = join(scratch(), 'cache');
  expect([makePrivateFolder(path), makePrivateFolder(path)]).toEqual([true, true]);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('a folder that others can open, a link and a missing parent are not private', () => {
  const folder = scratch();
  mkdirSync(join(folder, 'open'));
  chmodSync(join(folder, 'open'), 0o755);
  mkdirSync(join(folder, 'real'), { mode: 0o700 });
  symlinkSync('real', join(folder, 'link'));
  const paths = ['open', 'link', 'missing/cache'].map((name) => join(folder, name));
  expect(paths.map(makePrivateFolder)).toEqual([false, false, false]);
  expect(paths.map(isOwnFolder)).toEqual([true, false, false]);
});
