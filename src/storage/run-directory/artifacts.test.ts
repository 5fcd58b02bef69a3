import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { attemptDirectory, type AttemptDirectory } from './artifacts.ts';
import { scratch } from './fixtures/runs.ts';
import { trialDirectoryName, type RunPaths } from './paths.ts';

const { run, clear } = scratch();
let paths: RunPaths;
let failures: unknown[];

beforeEach(() => {
  paths = run();
  failures = [];
});
afterEach(clear);

const id = { suite: 's', caseId: '../../x', target: 't', repetition: 1 };

function artifactsOf(attempt = 1): AttemptDirectory {
  return attemptDirectory(
    paths,
    { ...id, attempt },
    {
      redact: (text) => text.replaceAll('secret', '[redacted:X]'),
      onFailure: (error) => failures.push(error),
    },
  );
}

describe('artifacts', () => {
  test('nothing is on disk until something is written', () => {
    const artifacts = artifactsOf();
    expect([artifacts.close(), existsSync(paths.trials)]).toEqual([undefined, false]);
  });

  test('a file stands in the directory of its attempt, for its owner alone, secrets removed', async () => {
    const artifacts = artifactsOf(2);
    await artifacts.write('stdout.log', 'a secret\n');
    const directory = artifacts.close();
    expect(directory).toBe(`trials/${trialDirectoryName(id)}/attempt-2`);
    const file = join(paths.directory, directory ?? '', 'stdout.log');
    expect(readFileSync(file, 'utf8')).toBe('a [redacted:X]\n');
    const modes = [file, join(file, '..'), join(file, '..', '..')].map((path) =>
      (statSync(path).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['600', '700', '700']);
  });

  test('what the agent itself has put there loses its secrets too, and is for its owner alone', () => {
    const artifacts = artifactsOf();
    const folder = artifacts.directory();
    mkdirSync(join(folder, 'deep'), { mode: 0o755 });
    const outside = join(paths.directory, 'outside');
    writeFileSync(outside, 'a secret', { mode: 0o644 });
    writeFileSync(join(folder, 'deep', 'session.jsonl'), 'a secret of é\n', { mode: 0o644 });
    writeFileSync(join(folder, 'binary'), Buffer.from('\0 secret'));
    linkSync(outside, join(folder, 'hard'));
    symlinkSync(outside, join(folder, 'soft'));
    artifacts.close();
    const contentsOf = (...names: string[]) => names.map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(contentsOf('deep/session.jsonl', 'binary', 'hard')).toEqual([
      'a [redacted:X] of é\n',
      '\0 secret',
      'a [redacted:X]',
    ]);
    expect([readFileSync(outside, 'utf8'), statSync(outside).mode & 0o777]).toEqual(['a secret', 0o644]);
    const modes = ['deep', 'deep/session.jsonl', 'binary'].map(
      (name) => statSync(join(folder, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  test('links that the agent has put in the way are replaced, not followed', async () => {
    const artifacts = artifactsOf();
    const folder = artifacts.directory();
    const outside = join(paths.directory, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'stdout.log'), 'theirs');
    symlinkSync(join(outside, 'stdout.log'), join(folder, 'stdout.log'));
    await artifacts.write('stdout.log', 'ours');
    const second = artifactsOf(2);
    const other = second.directory();
    rmSync(other, { recursive: true });
    symlinkSync(outside, other);
    await second.write('stdout.log', 'ours too');
    const texts = [join(folder, 'stdout.log'), join(other, 'stdout.log'), join(outside, 'stdout.log')];
    expect(texts.map((file) => readFileSync(file, 'utf8'))).toEqual(['ours', 'ours too', 'theirs']);
  });

  test('an agent may put a file in the place of the directory', () => {
    const artifacts = artifactsOf();
    const folder = artifacts.directory();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'mine');
    expect(artifacts.close()).toBeUndefined();
  });

  test('bytes that are text lose their secrets, other bytes are kept as they are', async () => {
    const artifacts = artifactsOf();
    await artifacts.write('text', Buffer.from('é secret'));
    const image = Buffer.from([0x89, 0, 0xff, ...Buffer.from('secret')]);
    await artifacts.write('image', image);
    const directory = join(paths.directory, artifacts.close() ?? '');
    expect(readFileSync(join(directory, 'text'), 'utf8')).toBe('é [redacted:X]');
    expect(readFileSync(join(directory, 'image'))).toEqual(image);
  });

  test('a name cannot lead out of the directory', async () => {
    const artifacts = artifactsOf();
    await artifacts.write('../../../escape.txt', 'x');
    expect(readdirSync(join(paths.directory, artifacts.close() ?? ''))).toEqual(['escape.txt']);
    expect(existsSync(join(paths.directory, 'escape.txt'))).toBe(false);
  });

  test('an empty directory is removed again, one with files of another attempt stays', async () => {
    const first = artifactsOf(1);
    await first.write('a', 'x');
    const second = artifactsOf(2);
    second.directory();
    expect(second.close()).toBe(undefined);
    expect(readdirSync(join(paths.trials, trialDirectoryName(id)))).toEqual(['attempt-1']);
    rmSync(paths.trials, { recursive: true });
    const third = artifactsOf(3);
    third.directory();
    expect([third.close(), existsSync(paths.trials)]).toEqual([undefined, false]);
  });

  test('an agent that removes the directory ends nothing', async () => {
    const artifacts = artifactsOf();
    rmSync(artifacts.directory(), { recursive: true });
    expect(artifacts.close()).toBe(undefined);
    const again = artifactsOf();
    rmSync(again.directory(), { recursive: true });
    await again.write('stdout.log', 'x');
    expect(again.close()).toBe(`trials/${trialDirectoryName(id)}/attempt-1`);
    expect(failures).toEqual([]);
  });

  test('what cannot be written is thrown and told', () => {
    mkdirSync(join(paths.trials, '..'), { recursive: true });
    writeFileSync(paths.trials, 'a file, no folder');
    expect(() => artifactsOf().directory()).toThrow('cannot write ');
    expect(failures).toMatchObject([{ code: 'results-not-written' }]);
  });
});
