import { readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { acquireLock } from './lock.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = folderOfTest('assay-lock-');
  file = join(folder, 'run.lock');
});

test('A claim names its process, and a released one leaves nothing behind', () => {
  const lock = acquireLock(file);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('A process that has lost its claim does not remove the claim of the other process', () => {
  const lock = acquireLock(file);
  const other = JSON.stringify({ pid: process.ppid, host: hostname() });
  writeFileSync(file, other);
  lock.release();
  expect(readFileSync(file, 'utf8')).toBe(other);
});

test('The claim of a living process is respected', () => {
  acquireLock(file);
  expect(() => acquireLock(file)).toThrow(`the run is in use by process ${process.pid} on ${hostname()}`);
  expect(readdirSync(folder)).toEqual(['run.lock']);
});

test.each([
  ['a dead process', { pid: 2 ** 22 + 1, host: hostname() }],
  ['another process that had this number before', { pid: process.pid, host: hostname(), started: '1' }],
])('The claim of %s is taken over', (_, owner) => {
  writeFileSync(file, JSON.stringify(owner));
  acquireLock(file);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid });
});

test('If a process is refused while a dead claim is taken over, the error names the process that takes it over', () => {
  writeFileSync(file, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
  writeFileSync(`${file}.takeover`, JSON.stringify({ pid: process.ppid, host: hostname() }));
  expect(() => acquireLock(file)).toThrow(`the run is in use by process ${process.ppid} on ${hostname()}`);
});

test('If two processes are refused, the errors of both name the owner', () => {
  acquireLock(file);
  writeFileSync(`${file}.takeover`, JSON.stringify({ pid: process.ppid, host: hostname() }));
  expect(() => acquireLock(file)).toThrow(`the run is in use by process ${process.pid} on ${hostname()}`);
});

test('A lock that a full disk cut short has no owner', () => {
  writeFileSync(file, '');
  acquireLock(file);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid });
});

test('The claim of a process on another host is respected: we cannot know', () => {
  writeFileSync(file, JSON.stringify({ pid: 1, host: 'elsewhere.example.test' }));
  expect(() => acquireLock(file)).toThrow('the run is in use by process 1 on elsewhere.example.test');
});

test('The file is never written in place, so that no other process finds it empty', async () => {
  const watcher = watch(folder);
  const seen: string[] = [];
  watcher.on('change', (type, name) => seen.push(`${type} ${String(name)}`));
  acquireLock(file);
  writeFileSync(join(folder, 'done'), '');
  while (!seen.some((each) => each.endsWith(' done'))) await once(watcher, 'change');
  watcher.close();
  expect(seen).not.toContain('change run.lock');
});
