import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { snapshot } from './snapshot.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const limits = { maxBytes: 2 ** 30, signal: new AbortController().signal };

function folders() {
  const root = folderOfTest('snapshot-');
  const [source, copy] = [join(root, 'source'), join(root, 'copy')];
  for (const path of [source, copy]) mkdirSync(path);
  writeFileSync(join(root, 'secret'), 'outside');
  return { root, source, copy };
}

test('files, folders and permissions are copied, without set-id bits', async () => {
  const { source, copy } = folders();
  mkdirSync(join(source, 'a/b'), { recursive: true });
  writeFileSync(join(source, 'a/b/run'), 'content', { mode: 0o755 });
  chmodSync(join(source, 'a/b/run'), 0o6755);
  expect(await snapshot(source, copy, limits)).toEqual({ dropped: [] });
  expect(readFileSync(join(copy, 'a/b/run'), 'utf8')).toBe('content');
  expect(statSync(join(copy, 'a/b/run')).mode & 0o7777).toBe(0o755);
});

test.each([
  ['file', 'beside'],
  ['sub/link', '../beside'],
  ['sub/link', './../beside'],
  ['link', 'sub/inner'],
  ['link', '.'],
])('a link %s to %s stays', async (path, target) => {
  const { source, copy } = folders();
  mkdirSync(join(source, 'sub'));
  symlinkSync(target, join(source, path));
  expect(await snapshot(source, copy, limits)).toEqual({ dropped: [] });
  expect(readlinkSync(join(copy, path))).toBe(target);
});

test.each([
  ['link', '/etc/passwd'],
  ['link', '..'],
  ['link', '../secret'],
  ['sub/link', '../../secret'],
  ['link', 'sub/../../secret'],
  // Behind a link to the folder itself, `..` would be the parent of the copy.
  ['link', 'self/..'],
])('a link %s to %s is left out', async (path, target) => {
  const { source, copy } = folders();
  mkdirSync(join(source, 'sub'));
  symlinkSync('.', join(source, 'self'));
  symlinkSync(target, join(source, path));
  expect(await snapshot(source, copy, limits)).toEqual({ dropped: [path] });
  expect(lstatSync(join(copy, path), { throwIfNoEntry: false })).toBeUndefined();
});

test('pipes and sockets are left out and not read', async () => {
  const { source, copy } = folders();
  execFileSync('mkfifo', [join(source, 'pipe')]);
  expect(await snapshot(source, copy, limits)).toEqual({ dropped: ['pipe'] });
});

test('a sparse file counts with its full size', async () => {
  const { source, copy } = folders();
  writeFileSync(join(source, 'huge'), '');
  truncateSync(join(source, 'huge'), 10 * 2 ** 30);
  await expect(snapshot(source, copy, limits)).rejects.toThrow(
    'the workspace has more than 1024 MB of files',
  );
});

test('the copy of a file with holes has its content, permissions and holes', async () => {
  const { source, copy } = folders();
  const path = join(source, 'holes');
  writeFileSync(path, 'head', { mode: 0o640 });
  truncateSync(path, 64 * 2 ** 20);
  appendFileSync(path, 'tail');
  expect(await snapshot(source, copy, limits)).toEqual({ dropped: [] });
  const copied = join(copy, 'holes');
  const content = readFileSync(copied);
  expect(content.equals(readFileSync(path))).toBe(true);
  expect(content.subarray(-4).toString()).toBe('tail');
  const { mode, blocks } = statSync(copied);
  expect(mode & 0o777).toBe(0o640);
  // Its two ends are written, and nothing of the 64 MB between them.
  expect(blocks * 512).toBeLessThan(4 * 2 ** 20);
});

test('names that are no UTF-8 are kept', async () => {
  const { source, copy } = folders();
  const name = Buffer.from([0x61, 0xff, 0xfe]);
  writeFileSync(Buffer.concat([Buffer.from(`${source}/`), name]), 'x');
  await snapshot(source, copy, limits);
  expect(readdirSync(copy, { encoding: 'buffer' })).toEqual([name]);
});

test('an aborted copy ends with the reason', async () => {
  const { source, copy } = folders();
  writeFileSync(join(source, 'file'), 'x');
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(snapshot(source, copy, { ...limits, signal })).rejects.toThrow('stopped');
});
