import { readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import type { JsonObject } from '../lib/json.ts';
import { serverOf, writeServerFile } from './server-file.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

let folder = '';

beforeEach(() => {
  folder = folderOfTest('assay-server-file-');
});

/** What is read when the file of a running server is written anew with other values. */
function readWith(changed: JsonObject): string | undefined {
  const remove = writeServerFile(folder, 'http://127.0.0.1:4100');
  const file = join(folder, '.assay/server.json');
  const written = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
  writeFileSync(file, JSON.stringify({ ...written, ...changed }));
  const read = serverOf(folder);
  remove();
  return read;
}

test('the address of a server is read while its process lives, and not after it', () => {
  expect(readWith({})).toBe('http://127.0.0.1:4100');
  expect(serverOf(folder)).toBeUndefined();
});

test('a file of another host or of a dead process names no server', () => {
  expect(readWith({ host: 'another-machine' })).toBeUndefined();
  expect(readWith({ pid: 2 ** 22 + 1 })).toBeUndefined();
  expect(readWith({ started: '1' })).toBe(process.platform === 'linux' ? undefined : 'http://127.0.0.1:4100');
});

test('a file that names an address of another machine names no server', () => {
  const addresses = [
    'https://evil.example',
    'http://evil.example:4100',
    'http://192.0.2.1:4100',
    'http://127.0.0.1:4100@evil.example',
    'http://127.0.0.1.evil.example:4100',
    'https://127.0.0.1:4100',
    'file:///etc/passwd',
    'no address',
  ];
  expect(addresses.map((url) => readWith({ url }))).toEqual(addresses.map(() => undefined));
});

test('a file may name any address of this machine', () => {
  const own = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => `http://${address}:4100`);
  const addresses = ['http://localhost:4100', 'http://[::1]:4100', 'http://127.0.0.2:80', ...own];
  expect(addresses.map((url) => readWith({ url }))).toEqual(addresses);
});
