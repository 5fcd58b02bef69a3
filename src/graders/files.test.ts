import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { FileChange } from '../core/file-change.ts';
import { files } from './files.ts';
import { findingOf, problemsOf, type SubjectSketch } from './subject.fixture.ts';

let root = '';
let subject: SubjectSketch = {};

const changes: readonly FileChange[] = [
  { path: 'src/a.ts', change: 'edited' },
  { path: 'src/deep/new.ts', change: 'created' },
  { path: '.env', change: 'deleted' },
];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'files-'));
  const directory = join(root, 'workspace');
  await mkdir(join(directory, 'src'), { recursive: true });
  await writeFile(join(root, 'secret.txt'), 'outside');
  await writeFile(join(directory, 'src/a.ts'), 'export const a = 1;\n');
  await symlink(join(root, 'secret.txt'), join(directory, 'out.txt'));
  await symlink(root, join(directory, 'up'));
  await symlink('nowhere', join(directory, 'dangling'));
  await symlink('a.ts', join(directory, 'src/alias.ts'));
  await symlink('loop', join(directory, 'loop'));
  subject = { workspace: { directory, changes: async () => changes } };
});

afterAll(async () => {
  await rm(root, { recursive: true });
});

describe('files', () => {
  test.each([
    [{ exists: ['src', './src/a.ts', 'src/alias.ts'] }, 1],
    [{ exists: ['src/b.ts'] }, 0],
    [{ exists: ['src/a.ts/x'] }, 0],
    [{ exists: ['out.txt'] }, 0],
    [{ exists: ['up/secret.txt'] }, 0],
    [{ exists: ['dangling'] }, 0],
    [{ exists: ['loop'] }, 0],
    [{ absent: ['src/b.ts', 'src/a.ts/x'] }, 1],
    [{ absent: ['src/a.ts'] }, 0],
    [{ absent: ['dangling'] }, 0],
    [{ contains: { 'src/a.ts': 'const a' } }, 1],
    [{ contains: { 'src/alias.ts': 'const a' } }, 1],
    [{ contains: { 'src/a.ts': 'const b' } }, 0],
    [{ contains: { 'out.txt': 'outside' } }, 0],
    [{ contains: { 'up/secret.txt': 'outside' } }, 0],
    [{ contains: { src: 'a' } }, 0],
    [{ unchanged: ['package.json', 'tests/**'] }, 1],
    [{ unchanged: ['src/**'] }, 0],
    [{ unchanged: ['**'] }, 0],
    [{ unchanged: ['**/.env'] }, 0],
    [{ only_changed: ['src/**', '.env'] }, 1],
    [{ only_changed: ['src', '.env'] }, 1],
    [{ only_changed: ['src/*', '.env'] }, 1],
    [{ only_changed: ['src/*.ts', '.env'] }, 0],
    [{ only_changed: [] }, 0],
  ])('%j scores %d', async (config, score) => {
    expect((await findingOf(files, config, subject)).score).toBe(score);
  });

  test('reports all mismatches', async () => {
    const config = {
      exists: ['b.txt', 'out.txt'],
      absent: ['src'],
      contains: { 'src/a.ts': 'const b', none: 'x' },
      unchanged: ['.env'],
      only_changed: ['src/a.ts'],
    };
    expect((await findingOf(files, config, subject)).reason).toBe(
      [
        'expected b.txt to exist',
        'expected out.txt to exist; it is a link out of the workspace or to nothing',
        'expected nothing at src, found a folder',
        String.raw`expected src/a.ts to contain "const b"; it begins "export const a = 1;\n"`,
        'expected none to contain "x"; there is nothing',
        'expected no change of .env, found .env (deleted)',
        'expected changes only in src/a.ts, found src/deep/new.ts (created) | .env (deleted)',
      ].join('; '),
    );
  });

  test('without changes nothing may be changed holds', async () => {
    const untouched = { workspace: { directory: root, changes: async () => [] } };
    expect((await findingOf(files, { only_changed: [] }, untouched)).score).toBe(1);
  });

  test.each([
    [{ only_changed: [] }],
    [{ only_changed: ['src/**'] }],
    [{ unchanged: ['**/a.ts'] }],
    [{ unchanged: ['deep/d/a.ts'] }],
  ])('%j cannot be decided when a path could not be read', async (config) => {
    const unread = { path: 'deep/d', change: 'created', omitted: 'unreadable' } as const;
    const workspace = { directory: root, changes: async () => [unread] };
    await expect(findingOf(files, config, { workspace })).rejects.toThrow(
      'what is at these paths of the workspace could not be read: deep/d',
    );
  });

  test('an unreadable path matters only if the check looks at it', async () => {
    const unread = { path: 'deep/d', change: 'created', omitted: 'unreadable' } as const;
    const large = { path: 'big', change: 'created', omitted: 'too-large' } as const;
    const of = (...found: FileChange[]) => ({ workspace: { directory: root, changes: async () => found } });
    const findings = [
      findingOf(files, { only_changed: ['deep/**'] }, of(unread)),
      findingOf(files, { unchanged: ['src/a.ts'] }, of(unread)),
      findingOf(files, { only_changed: [] }, of(unread, large)),
    ];
    expect((await Promise.all(findings)).map(({ score }) => score)).toEqual([1, 1, 0]);
  });

  test('without a workspace it cannot be decided', async () => {
    await expect(findingOf(files, { exists: ['a'] }, {})).rejects.toThrow(
      /the trial has no workspace; add a `workspace` to the test/,
    );
  });

  test('in a stored workspace that secrets were taken out of it cannot be decided', async () => {
    const redacted = {
      workspace: { directory: root, changes: async () => [], redacted: ['.env', 'key.bin'] },
    };
    await expect(findingOf(files, { absent: ['key.bin'] }, redacted)).rejects.toThrow(
      'the kept workspace differs from what the agent left, because secrets were removed from .env | key.bin; run the case again to grade it',
    );
  });

  test.each(['../x', '/etc/passwd', 'a/../../x', '..', 'C:\\x', '..\\x'])('refuses the path %j', (path) => {
    const message = 'must be a relative path inside the workspace';
    expect(problemsOf(files, { exists: [path] })).toEqual([`exists.0: ${message}`]);
    expect(problemsOf(files, { unchanged: [path] })).toEqual([`unchanged.0: ${message}`]);
    expect(problemsOf(files, { contains: { [path]: 'x' } }).length).toBe(1);
  });

  test('refuses what checks nothing', () => {
    expect(problemsOf(files, {})).toEqual([
      ': give at least one of `exists`, `absent`, `contains`, `unchanged`, `only_changed`',
    ]);
    expect(problemsOf(files, { contains: {} })).toEqual(['contains: must have at least one file']);
    expect(problemsOf(files, { unchanged: ['[z-a]'] })).toEqual([
      'unchanged.0: is not a valid glob; use `*`, `?`, `**`, `[abc]` and `{a,b}`',
    ]);
  });
});

test('a removed workspace is an error', async () => {
  const gone = { workspace: { directory: join(root, 'gone'), changes: async () => changes } };
  await expect(findingOf(files, { absent: ['a'] }, gone)).rejects.toThrow(
    `the workspace ${join(root, 'gone')} does not exist any more; it was removed by the agent or later`,
  );
});
