import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { moveByCopy, removeDirectory } from './put-away.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'put-away-test-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

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

test('removing what is not there is done', async () => {
  expect(await removeDirectory(join(folder, 'nowhere'))).toEqual({});
});
