import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

import { makeDeepTree } from '../../../test/support/deep-tree.ts';
import { removeTree } from './remove-tree.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

let root: string;

beforeEach(() => {
  root = folderOfTest('assay-remove-');
});

test('folders without permissions and names that are not UTF-8 are removed too', async () => {
  const folder = join(root, 'folder');
  mkdirSync(join(folder, 'closed', 'deep'), { recursive: true });
  mkdirSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]));
  writeFileSync(join(folder, 'closed', 'deep', 'file'), 'x');
  for (const name of ['closed/deep', 'closed', '.']) chmodSync(join(folder, name), 0);
  await removeTree(folder);
  expect(existsSync(folder)).toBe(false);
});

test('a link is removed, and its target stays unchanged', async () => {
  const other = join(root, 'other');
  mkdirSync(other, { mode: 0o500 });
  symlinkSync(other, join(root, 'link'));
  await removeTree(join(root, 'link'));
  expect({ link: existsSync(join(root, 'link')), mode: statSync(other).mode & 0o777 }).toEqual({
    link: false,
    mode: 0o500,
  });
});

test('a missing path is not an error', async () => {
  await expect(removeTree(join(root, 'none'))).resolves.toBeUndefined();
});

test('a tree deeper than a path can be long goes', async () => {
  const folder = join(root, 'deep');
  mkdirSync(folder);
  makeDeepTree(folder, 250);
  chmodSync(folder, 0);
  await removeTree(folder);
  expect(existsSync(folder)).toBe(false);
});
