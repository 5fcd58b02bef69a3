import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { copied } from './scratch-folder.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

test('copying to another file system names what it leaves behind', () => {
  const folder = folderOfTest('scratch-folder-');
  const from = join(folder, 'from');
  mkdirSync(join(from, 'below'), { recursive: true });
  writeFileSync(join(from, 'below/log'), 'x');
  symlinkSync('gone', join(from, 'link'));
  writeFileSync(join(from, 'large'), '');
  truncateSync(join(from, 'large'), 64 * 2 ** 20 + 1);
  execFileSync('mkfifo', [join(from, 'below/pipe')]);
  const left = copied(from, join(folder, 'to'));
  expect(left.toSorted()).toEqual([join(from, 'below/pipe'), join(from, 'large')]);
  expect(readdirSync(join(folder, 'to'), { recursive: true }).toSorted()).toEqual([
    'below',
    'below/log',
    'link',
  ]);
  expect(copied(join(from, 'gone'), join(folder, 'to'))).toEqual([join(from, 'gone')]);
});
