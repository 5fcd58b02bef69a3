import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { unpackTar } from './unpack-tar.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

let folder: string;
beforeEach(() => {
  folder = folderOfTest('assay-unpack-');
});

function packed(...flags: readonly string[]): Buffer {
  return execFileSync('tar', ['--format=ustar', ...flags, '-cf', '-', '-C', join(folder, 'from'), '.']);
}

test('writes files, empty folders and their permissions as they were packed', () => {
  const long = join(folder, 'from', 'a'.repeat(90), 'b'.repeat(90));
  mkdirSync(long, { recursive: true });
  mkdirSync(join(folder, 'from/empty'));
  writeFileSync(join(long, 'block.bin'), Buffer.alloc(512, 7), { mode: 0o600 });
  writeFileSync(join(folder, 'from/none.txt'), '');
  writeFileSync(join(folder, 'from/more.txt'), 'x'.repeat(513));
  const to = join(folder, 'to');
  unpackTar(packed(), to);
  const names = (of: string) => readdirSync(join(folder, of), { recursive: true }).toSorted();
  expect(names('to')).toEqual(names('from'));
  const block = join(to, 'a'.repeat(90), 'b'.repeat(90), 'block.bin');
  expect(readFileSync(block)).toEqual(Buffer.alloc(512, 7));
  expect(statSync(block).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(to, 'none.txt'), 'utf8')).toBe('');
  expect(readFileSync(join(to, 'more.txt'), 'utf8')).toBe('x'.repeat(513));
});

test('refuses an archive that is cut off, holds a link or leads out of the folder', () => {
  mkdirSync(join(folder, 'from'));
  writeFileSync(join(folder, 'from/file.txt'), 'x'.repeat(2000));
  const whole = packed();
  const to = join(folder, 'to');
  expect(() => unpackTar(whole.subarray(0, 1500), to)).toThrow('the archive ends within');
  execFileSync('ln', ['-s', '/etc', join(folder, 'from/link')]);
  expect(() => unpackTar(packed(), to)).toThrow('the archive is broken at');
  rmSync(join(folder, 'from/link'));
  const outside = packed('--transform=s,file,../file,', '--absolute-names');
  expect(() => unpackTar(outside, to)).toThrow('the archive is broken at');
});
