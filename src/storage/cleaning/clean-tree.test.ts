import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { makeDeepTree } from '../../../test/support/deep-tree.ts';
import { createRedactor } from '../../lib/redact/redact.ts';
import { cleanTree } from './clean-tree.ts';

const SECRET = 'canary-0123456789';
const redactor = createRedactor({ environment: { MY_TOKEN: SECRET }, names: [] });
const UNSEARCHED = { tooLarge: [], tooDeep: [], tooLate: [] };
const CLEAN = { leftOut: [], replaced: [], unread: [], unsearched: UNSEARCHED };
const cleaned = (directory: string) => cleanTree(directory, { redactor, purpose: 'workspace' });

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'kept-test-'));
  onTestFinished(() => {
    execFileSync('chmod', ['-R', 'u+rwX', folder]);
    fs.rmSync(folder, { recursive: true });
  });
  for (const [path, content] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(folder, path)), { recursive: true });
    fs.writeFileSync(join(folder, path), content);
  }
  return folder;
}

const longAgo = new Date('2001-02-03T04:05:06Z');

test('only files that hold a secret are replaced, with the modes and times they had', async () => {
  const folder = folderWith({ 'w/sub/run.sh': `#!/bin/sh\necho ${SECRET}\n`, 'w/plain.txt': 'plain\n' });
  const [script, plain] = [join(folder, 'w/sub/run.sh'), join(folder, 'w/plain.txt')];
  fs.chmodSync(script, 0o555);
  for (const path of [script, plain, dirname(script)]) fs.utimesSync(path, longAgo, longAgo);
  fs.chmodSync(dirname(script), 0o500);
  const { ino } = fs.statSync(plain);
  expect(await cleaned(join(folder, 'w'))).toEqual({ ...CLEAN, replaced: ['sub/run.sh'] });
  expect(fs.readFileSync(script, 'utf8')).toBe('#!/bin/sh\necho [redacted:MY_TOKEN]\n');
  const stats = [script, dirname(script)].map((path) => fs.statSync(path));
  expect(stats.map(({ mode, mtime }) => [mode & 0o777, mtime])).toEqual([
    [0o555, longAgo],
    [0o500, longAgo],
  ]);
  expect(fs.statSync(plain).ino).toBe(ino);
  expect(fs.readdirSync(join(folder, 'w'), { recursive: true }).toSorted()).toEqual([
    'plain.txt',
    'sub',
    'sub/run.sh',
  ]);
});

test('links are not followed, and other names of a file keep what it held', async () => {
  const folder = folderWith({ 'outside.txt': SECRET, 'folder/precious.txt': SECRET, 'w/a.txt': 'a' });
  fs.linkSync(join(folder, 'outside.txt'), join(folder, 'w/hard.txt'));
  fs.symlinkSync('../outside.txt', join(folder, 'w/soft.txt'));
  fs.symlinkSync('../folder', join(folder, 'w/folder'));
  expect(await cleaned(join(folder, 'w'))).toEqual({ ...CLEAN, replaced: ['hard.txt'] });
  const read = (path: string) => fs.readFileSync(join(folder, path), 'utf8');
  expect([read('w/hard.txt'), read('outside.txt'), read('folder/precious.txt')]).toEqual([
    '[redacted:MY_TOKEN]',
    SECRET,
    SECRET,
  ]);
  expect(fs.readlinkSync(join(folder, 'w/soft.txt'))).toBe('../outside.txt');
});

test('a binary file with a secret is left out and named, and so is a file with a secret in its name', async () => {
  const folder = folderWith({
    'db/dirty.db': Buffer.concat([Buffer.from([0, 255]), Buffer.from(SECRET)]),
    'db/clean.db': Buffer.from([0, 255]),
    [`of ${SECRET}/a.txt`]: 'a',
  });
  fs.symlinkSync(`/nowhere/${SECRET}`, join(folder, 'link'));
  const { leftOut, ...others } = await cleaned(folder);
  expect([leftOut.toSorted(), others]).toEqual([
    ['db/dirty.db', 'link', `of ${SECRET}`],
    { replaced: [], unread: [], unsearched: UNSEARCHED },
  ]);
  expect(fs.readdirSync(folder, { recursive: true }).toSorted()).toEqual(['db', 'db/clean.db']);
});

test('large files are redacted where a piece of them ends in a secret', async () => {
  const filler = 'x'.repeat(2 ** 20 - 8);
  const text = `${filler}${SECRET}${filler.repeat(9)}`;
  const folder = folderWith({ 'large.txt': text, 'large.bin': `${text}\0` });
  expect(await cleaned(folder)).toEqual({
    ...CLEAN,
    leftOut: ['large.bin'],
    replaced: ['large.txt'],
  });
  const kept = fs.readFileSync(join(folder, 'large.txt'), 'utf8');
  expect(kept === text.replace(SECRET, '[redacted:MY_TOKEN]')).toBe(true);
});

test('a secret that the agent committed is in no object of its repository', async () => {
  const folder = folderWith({ 'key.txt': `${SECRET}\n`, 'plain.txt': 'plain\n' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'Start');
  const id = git('rev-parse', 'HEAD:key.txt').trim();
  const object = `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`;
  expect(await cleaned(folder)).toEqual({
    ...CLEAN,
    leftOut: [object],
    replaced: ['key.txt'],
  });
  expect(() => git('cat-file', '-p', id)).toThrow('Not a valid object name');
  expect([git('show', 'HEAD:plain.txt'), git('log', '--format=%s')]).toEqual(['plain\n', 'Start\n']);
});

test('names that are no UTF-8 are no obstacle', async () => {
  const folder = folderWith({});
  const odd = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x61, 0xff])]);
  fs.writeFileSync(odd, SECRET);
  expect(await cleaned(folder)).toEqual({ ...CLEAN, replaced: ['a\ufffd'] });
  expect(fs.readFileSync(odd, 'utf8')).toBe('[redacted:MY_TOKEN]');
});

test('a directory that could not be cleaned to its end has the modes it had', async () => {
  const folder = folderWith({ 'sub/a.txt': 'a' });
  const [sub, file] = [join(folder, 'sub'), join(folder, 'sub/a.txt')];
  fs.chmodSync(file, 0);
  fs.chmodSync(sub, 0o100);
  const failing = {
    text: (text: string) => {
      if (text === 'a') throw new Error('no space left');
      return text;
    },
    bytes: redactor.bytes,
  };
  await expect(cleanTree(folder, { redactor: failing, purpose: 'workspace' })).rejects.toThrow(
    'no space left',
  );
  expect([fs.statSync(sub).mode & 0o777, fs.existsSync(file)]).toEqual([0o100, true]);
  fs.chmodSync(sub, 0o700);
  expect(fs.statSync(file).mode & 0o777).toBe(0);
});

test('a secret in hexadecimal is replaced in text, and one in UTF-16 takes its file along', async () => {
  const folder = folderWith({
    'dump.txt': `00 ${Buffer.from(SECRET).toString('hex')}`,
    'wide.txt': Buffer.from(`= ${SECRET}`, 'utf16le'),
    'plain.txt': Buffer.from('= nothing', 'utf16le'),
  });
  expect(await cleaned(folder)).toEqual({
    ...CLEAN,
    replaced: ['dump.txt'],
    leftOut: ['wide.txt'],
  });
  expect(fs.readFileSync(join(folder, 'dump.txt'), 'utf8')).toBe('00 [redacted:MY_TOKEN]');
});

const LIMITS = { fileBytes: 1000, totalBytes: 1500, folders: 2, timeMs: 60_000 };

test('what is beyond the limits is left out and named, and the rest is cleaned', async () => {
  const folder = folderWith({ 'a/b/c/deep.txt': SECRET, 'a/b/near.txt': SECRET, 'one.txt': 'x'.repeat(900) });
  fs.writeFileSync(join(folder, 'sparse.bin'), '');
  fs.truncateSync(join(folder, 'sparse.bin'), 2 ** 32);
  fs.writeFileSync(join(folder, 'two.txt'), 'x'.repeat(900));
  const found = await cleanTree(folder, { redactor, purpose: 'workspace', limits: LIMITS });
  expect(found).toEqual({
    ...CLEAN,
    replaced: ['a/b/near.txt'],
    unsearched: { tooLarge: ['sparse.bin', 'two.txt'], tooDeep: ['a/b/c'], tooLate: [] },
  });
  expect(fs.readdirSync(folder, { recursive: true }).toSorted()).toEqual([
    'a',
    'a/b',
    'a/b/near.txt',
    'one.txt',
  ]);
});

test('what is not checked in time is left out', async () => {
  const folder = folderWith({ 'a/b.txt': 'b', 'c.txt': 'c' });
  const limits = { ...LIMITS, timeMs: -1 };
  expect(await cleanTree(folder, { redactor, purpose: 'workspace', limits })).toEqual({
    ...CLEAN,
    unsearched: { ...UNSEARCHED, tooLate: ['a', 'c.txt'] },
  });
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('a tree deeper than a path can be long is left out', async () => {
  const folder = folderWith({});
  makeDeepTree(folder, 250);
  const { unsearched } = await cleaned(folder);
  expect(unsearched.tooDeep).toEqual([Array<string>(101).fill('d'.repeat(20)).join('/')]);
});

test('pipes and sockets are left alone', async () => {
  const folder = folderWith({ 'a.txt': SECRET });
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(await cleaned(folder)).toEqual({ ...CLEAN, replaced: ['a.txt'] });
  expect(fs.lstatSync(join(folder, 'pipe')).isFIFO()).toBe(true);
});
