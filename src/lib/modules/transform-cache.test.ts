import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { cachedTransform } from './transform-cache.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const KEY = Buffer.alloc(32, 1);

interface Kept {
  readonly mode?: number;
  readonly key?: Buffer | undefined;
}

/** A project, and a loader that counts how often it transforms. */
function project({ mode = 0o755, ...more }: Kept = {}) {
  const root = folderOfTest('transform-cache-');
  mkdirSync(join(root, '.assay'));
  chmodSync(join(root, '.assay'), mode);
  const folder = join(root, '.assay/cache/modules');
  const seen: string[] = [];
  const load = (name: string, source: string) =>
    cachedTransform(join(root, name), {
      transform: ({ source: given }) => {
        seen.push(given);
        return `made of ${given}`;
      },
      version: '1',
      key: 'key' in more ? more.key : KEY,
    })({ filename: join(root, name), source }).code;
  return { folder, seen, load, entries: () => readdirSync(folder).map((name) => join(folder, name)) };
}

test('the output for a source is reused, but not for another source', () => {
  const { load, seen } = project();
  expect([load('a.ts', 'one'), load('a.ts', 'one'), load('a.ts', 'two'), load('b.ts', 'two')]).toEqual([
    'made of one',
    'made of one',
    'made of two',
    'made of two',
  ]);
  expect(seen).toEqual(['one', 'two', 'two']);
});

test.each<[string, (content: string, sha256: (text: string) => string) => string]>([
  ['with other code', (content) => `${content}; throw 1`],
  ['with a digest instead of a signature', (_, sha256) => `${sha256('evil')}\nevil`],
  ['without a signature', () => 'evil'],
  ['that is empty', () => ''],
])('an entry %s is not used, and replaced', (_, change) => {
  const { load, entries } = project();
  load('a.ts', 'one');
  const [entry = ''] = entries();
  const good = readFileSync(entry, 'utf8');
  writeFileSync(
    entry,
    change(good, (text) => createHash('sha256').update(text).digest('hex')),
  );
  expect(load('a.ts', 'one')).toBe('made of one');
  expect(readFileSync(entry, 'utf8')).toBe(good);
});

test('the entry of another module is not used', () => {
  const { load, entries, seen } = project();
  load('a.ts', 'same');
  const [ofA = ''] = entries();
  load('b.ts', 'same');
  const ofB = entries().find((entry) => entry !== ofA) ?? '';
  copyFileSync(ofA, ofB);
  load('b.ts', 'same');
  expect(seen).toEqual(['same', 'same', 'same']);
});

test.each([
  ['where others may write in `.assay`', { mode: 0o777 }],
  ['without a key', { key: undefined }],
])('nothing is kept %s', (_, more) => {
  const { load, folder } = project(more);
  load('a.ts', 'one');
  expect(() => readdirSync(folder)).toThrow('ENOENT');
});
