import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

import { keepDirectory, moveByCopy, removeDirectory } from './put-away.ts';
import { readRedactedPaths } from './redacted-paths.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

let folder = '';

beforeEach(() => {
  folder = folderOfTest('put-away-test-');
});

function closedDirectory(): string {
  const directory = join(folder, 'directory');
  mkdirSync(join(directory, 'sub'), { recursive: true });
  writeFileSync(join(directory, 'sub/a.sh'), 'a');
  chmodSync(join(directory, 'sub/a.sh'), 0o100);
  symlinkSync('../..', join(directory, 'sub/up'));
  chmodSync(join(directory, 'sub'), 0o500);
  return directory;
}

test('a directory moves to another device with its links and what its owner had closed', async () => {
  const directory = closedDirectory();
  const destination = join(folder, 'destination');
  await moveByCopy(directory, destination);
  expect(readFileSync(join(destination, 'sub/a.sh'), 'utf8')).toBe('a');
  expect(lstatSync(join(destination, 'sub/a.sh')).mode & 0o777).toBe(0o500);
  expect(readlinkSync(join(destination, 'sub/up'))).toBe('../..');
  expect(lstatSync(directory, { throwIfNoEntry: false })).toBeUndefined();
});

test('removing goes into closed folders and not through links', async () => {
  const precious = join(folder, 'precious');
  writeFileSync(precious, '');
  expect(await removeDirectory(closedDirectory())).toEqual({});
  expect(lstatSync(precious).isFile()).toBe(true);
});

test('removing a missing directory succeeds', async () => {
  expect(await removeDirectory(join(folder, 'nowhere'))).toEqual({});
});

test('paths that differ from what the agent left are listed next to the kept directory', async () => {
  const directory = closedDirectory();
  const destination = join(folder, 'kept/one');
  const clean = async () => ({ warnings: ['a.sh is left out'], redacted: ['sub/a.sh'] });
  expect(await keepDirectory(directory, { destination, clean })).toEqual({
    keptAt: destination,
    warning: 'a.sh is left out',
  });
  expect(readRedactedPaths(destination)).toEqual(['sub/a.sh']);
});

test('a directory whose secrets could not be removed is not kept, and the warning says that it has secrets', async () => {
  const directory = closedDirectory();
  const clean = () => Promise.reject(new Error('ENOSPC: no space left on device'));
  expect(await keepDirectory(directory, { destination: join(folder, 'kept/one'), clean })).toEqual({
    warning: `the workspace was not kept, because secrets could not be removed from it: ENOSPC: no space left on device; it is still at ${directory}, with secrets`,
  });
  expect(lstatSync(directory).isDirectory()).toBe(true);
});

test('a directory that lost some secrets and could not be moved lists the changed paths', async () => {
  const directory = closedDirectory();
  writeFileSync(join(folder, 'kept'), '');
  const clean = async () => ({ warnings: ['a.sh is left out'], redacted: ['sub/a.sh'] });
  const destination = join(folder, 'kept/one');
  expect(await keepDirectory(directory, { destination, clean })).toEqual({
    warning: expect.stringMatching(
      `^a.sh is left out; the workspace could not be moved to ${destination} and stays at ${directory}: `,
    ) as string,
  });
});
