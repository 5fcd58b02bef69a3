import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { bytePath } from '../lib/files/byte-path.ts';
import { guardFiles } from './guard-files.ts';
import { scanTree } from './scan-tree.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

async function guarded() {
  const folder = folderOfTest('guard-files-');
  mkdirSync(join(folder, 'tests'));
  writeFileSync(join(folder, 'tests/a.txt'), 'good');
  writeFileSync(join(folder, 'tests/ü.txt'), 'good');
  symlinkSync('a.txt', join(folder, 'tests/link'));
  const directory = bytePath(folder);
  const { tree } = await scanTree(directory, new AbortController().signal);
  return { at: (path: string) => join(folder, path), files: { directory, files: tree } };
}

test.each<[string, readonly string[], (at: (path: string) => string) => void]>([
  ['reading', [], (at) => void readFileSync(at('tests/a.txt'))],
  ['a new file beside them', [], (at) => writeFileSync(at('tests/cache'), 'x')],
  [
    'a file in the place of their folder',
    ['tests/a.txt', 'tests/link', 'tests/ü.txt'],
    (at) => {
      rmSync(at('tests'), { recursive: true });
      writeFileSync(at('tests'), 'evil');
    },
  ],
  ['other content', ['tests/a.txt'], (at) => writeFileSync(at('tests/a.txt'), 'evil')],
  ['removal', ['tests/ü.txt'], (at) => rmSync(at('tests/ü.txt'))],
  ['permissions', ['tests/a.txt'], (at) => chmodSync(at('tests/a.txt'), 0o755)],
  [
    'another target of a link',
    ['tests/link'],
    (at) => {
      rmSync(at('tests/link'));
      symlinkSync('evil', at('tests/link'));
    },
  ],
  [
    'a file in its place and back',
    ['tests/a.txt'],
    (at) => {
      renameSync(at('tests/a.txt'), at('aside'));
      writeFileSync(at('tests/a.txt'), 'good');
    },
  ],
])('of guarded files %s gives %j', async (_, expected, act) => {
  const { at, files } = await guarded();
  const changed = await guardFiles(files);
  act(at);
  expect(await changed()).toEqual(expected);
});

test('a file that was written and put back with its times is found', async () => {
  const { at, files } = await guarded();
  const changed = await guardFiles(files);
  const path = at('tests/a.txt');
  const { atime, mtime, ctimeMs } = statSync(path);
  // The file system tells the time of changes in steps of some milliseconds.
  await expect
    .poll(() => {
      appendFileSync(at('clock'), 'x');
      return statSync(at('clock')).ctimeMs;
    })
    .toBeGreaterThan(ctimeMs);
  writeFileSync(path, 'evil');
  writeFileSync(path, 'good');
  utimesSync(path, atime, mtime);
  expect(await changed()).toEqual(['tests/a.txt']);
});

test('a file that was changed before the first look is found', async () => {
  const { at, files } = await guarded();
  writeFileSync(at('tests/a.txt'), 'evil');
  const changed = await guardFiles(files);
  writeFileSync(at('tests/a.txt'), 'good');
  expect(await changed()).toEqual(['tests/a.txt']);
});

test('a file that stays unreadable does not count as changed', async () => {
  const { files } = await guarded();
  const entry = { mode: '100644', id: '', size: 0, permissions: 0, omitted: 'unreadable' } as const;
  // A path below a file cannot be read.
  const unreadable = new Map([...files.files, [bytePath('tests/a.txt/x'), entry] as const]);
  const changed = await guardFiles({ ...files, files: unreadable });
  expect(await changed()).toEqual([]);
});
