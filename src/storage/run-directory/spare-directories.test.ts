import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createRedactor } from '../../lib/redact/redact.ts';
import { attemptDirectory, type AttemptDirectory } from './artifacts.ts';
import { scratch } from './fixtures/runs.ts';
import { trialDirectoryName, type RunPaths } from './paths.ts';
import { clearSpares, spareDirectories, type SpareDirectories } from './spare-directories.ts';

const { run, clear } = scratch();
let paths: RunPaths;
let spares: SpareDirectories;

beforeEach(() => {
  paths = run();
  spares = spareDirectories(paths.trials);
});
afterEach(clear);

const trialOf = (caseId: string) => ({ suite: 's', caseId, target: 't', repetition: 1 });
const place = (caseId: string) => join(paths.trials, trialDirectoryName(trialOf(caseId)), 'attempt-1');

function attemptOf(caseId: string, attempt = 1): AttemptDirectory {
  const redactor = createRedactor({ environment: {}, literals: [] });
  const onFailure = (error: unknown) => {
    throw error;
  };
  return attemptDirectory(paths, { ...trialOf(caseId), attempt }, { redactor, onFailure, spares });
}

describe('directories of attempts that left nothing', () => {
  test('are used again under the name of the next, for its owner alone, and the end of a run clears them', () => {
    const first = attemptOf('a');
    const { ino } = statSync(first.directory());
    expect([first.close(), existsSync(join(place('a'), '..'))]).toEqual([undefined, false]);
    const second = attemptOf('b');
    const status = statSync(second.directory());
    expect([second.directory(), status.ino, status.mode & 0o777]).toEqual([place('b'), ino, 0o700]);
    second.close();
    clearSpares(paths.trials);
    expect(readdirSync(paths.trials)).toEqual([]);
  });

  test('side by side each attempt has its own', () => {
    attemptOf('a').directory();
    const both = ['b', 'c'].map((id) => attemptOf(id));
    for (const each of both) each.directory();
    for (const each of both) each.close();
    const later = ['d', 'e', 'f'].map((id) => attemptOf(id).directory());
    expect(later).toEqual(['d', 'e', 'f'].map(place));
    expect(later.every((directory) => readdirSync(directory).length === 0)).toBe(true);
  });

  test.each<[string, (directory: string) => void]>([
    ['a file in it', (directory) => writeFileSync(join(directory, 'left'), 'x')],
    ['other rights', (directory) => chmodSync(directory, 0o755)],
    ['something beside it', (directory) => writeFileSync(join(directory, '..', 'beside'), 'x')],
    [
      'a link in its place',
      (directory) => {
        rmdirSync(directory);
        symlinkSync(paths.directory, directory);
      },
    ],
    ['nothing in its place', (directory) => rmdirSync(directory)],
  ])('one with %s is not', (_, change) => {
    const first = attemptOf('a');
    change(first.directory());
    first.close();
    const next = attemptOf('b');
    next.directory();
    expect([readdirSync(place('b')), statSync(place('b')).mode & 0o777]).toEqual([[], 0o700]);
    expect(readdirSync(paths.trials).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('one that something was put into later is not either, and goes with it', () => {
    const both = ['a', 'b'].map((id) => attemptOf(id));
    for (const each of both) each.directory();
    for (const each of both) each.close();
    for (const spare of readdirSync(paths.trials)) {
      writeFileSync(join(paths.trials, spare, 'attempt-1', 'late'), 'x');
    }
    const next = attemptOf('c');
    expect(readdirSync(next.directory())).toEqual([]);
    next.close();
    clearSpares(paths.trials);
    expect(readdirSync(paths.trials)).toEqual([]);
  });

  test('an attempt that is not the first of its trial has its own, beside the first', () => {
    const first = attemptOf('a');
    writeFileSync(join(first.directory(), 'left'), 'x');
    first.close();
    const spare = attemptOf('spare');
    spare.directory();
    spare.close();
    const second = attemptOf('a', 2);
    expect(second.directory()).toBe(join(place('a'), '..', 'attempt-2'));
    second.close();
    expect(readdirSync(join(place('a'), '..'))).toEqual(['attempt-1']);
  });

  test('a place where something stands already is not taken', () => {
    mkdirSync(place('b'), { recursive: true });
    writeFileSync(join(place('b'), 'kept'), 'x');
    const first = attemptOf('a');
    first.directory();
    first.close();
    const second = attemptOf('b');
    second.directory();
    expect(readdirSync(place('b'))).toEqual(['kept']);
  });
});
