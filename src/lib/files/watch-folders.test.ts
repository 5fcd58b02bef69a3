import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { watchFolders } from './watch-folders.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const scratch = () => folderOfTest('assay-watch-');

const { signal } = new AbortController();

test('files in the folder, below it and in new folders are seen; hidden and left ones are not', async () => {
  const root = scratch();
  for (const name of ['evals', 'out', '.git', 'node_modules']) mkdirSync(join(root, name));
  await using folders = watchFolders(root, (folder) => folder === join(root, 'out'));
  for (const name of ['out/a', '.git/a', 'node_modules/a', '.env', 'a~', 'evals/a.yaml'])
    writeFileSync(join(root, name), 'x');
  expect(await folders.next(signal)).toEqual([join(root, 'evals/a.yaml')]);
  mkdirSync(join(root, 'new'));
  expect(await folders.next(signal)).toEqual([join(root, 'new')]);
  writeFileSync(join(root, 'new/b.yaml'), 'x');
  expect(await folders.next(signal)).toEqual([join(root, 'new/b.yaml')]);
});

test('an abort ends the wait, and too many folders are told', async () => {
  const root = scratch();
  for (let index = 0; index < 2_005; index++) mkdirSync(join(root, `f${index}`));
  await using folders = watchFolders(root, () => false);
  expect(folders.isPartial).toBe(true);
  const stop = new AbortController();
  const waiting = folders.next(stop.signal);
  stop.abort();
  expect(await waiting).toBe(undefined);
});

test('a change is seen in a folder with 50,000 files', async () => {
  const root = scratch();
  mkdirSync(join(root, 'data'));
  for (let index = 0; index < 50_000; index++) writeFileSync(join(root, 'data', `f${index}`), '');
  await using folders = watchFolders(root, () => false);
  expect(folders.isPartial).toBe(false);
  writeFileSync(join(root, 'data', 'f777'), 'changed');
  expect(await folders.next(signal)).toEqual([join(root, 'data', 'f777')]);
}, 120_000);
