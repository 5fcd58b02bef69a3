import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { copied } from './scratch-folder.ts';

test('copying to another file system names what it leaves behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scratch-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
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
