import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeDeepTree } from '../../../test/support/deep-tree.ts';
import { createRedactor } from '../../lib/redact/redact.ts';
import type { AttemptArtifacts } from '../../core/target.ts';
import { attemptDirectory } from './artifacts.ts';
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

function artifactsOf(attempt = 1): AttemptArtifacts {
  return attemptDirectory(
    paths,
    { ...id, attempt },
    {
      redactor: createRedactor({ environment: {}, literals: [{ name: 'X', value: 'a secret é' }] }),
      onFailure: (error) => failures.push(error),
    },
  );
}

/** A text among bytes that are no UTF-8. */
function binary(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x89, 0, 0xff]), Buffer.from(text), Buffer.from([0xc3])]);
}

describe('artifacts', () => {
  test('nothing is on disk until something is written', async () => {
    const artifacts = artifactsOf();
    expect([await artifacts.close(), existsSync(paths.trials)]).toEqual([{ notes: [] }, false]);
  });

  test('a file is in the directory of its attempt, readable only by its owner, without secrets', async () => {
    const artifacts = artifactsOf(2);
    await artifacts.write('stdout.log', 'an a secret é\n');
    const { directory } = await artifacts.close();
    expect(directory).toBe(`trials/${trialDirectoryName(id)}/attempt-2`);
    const file = join(paths.directory, directory ?? '', 'stdout.log');
    expect(readFileSync(file, 'utf8')).toBe('an [redacted:X]\n');
    const modes = [file, join(file, '..'), join(file, '..', '..')].map((path) =>
      (statSync(path).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['600', '700', '700']);
  });

  test('a file that grows is there from its first byte on, secrets removed also where they lie across pieces', async () => {
    const artifacts = artifactsOf();
    const stream = artifacts.stream('stdout.log');
    const file = join(artifacts.directory(), 'stdout.log');
    stream.write(new Uint8Array());
    expect(existsSync(file)).toBe(false);
    const bytes = Buffer.concat([Buffer.from('first line\nan a secret é, caf'), Buffer.from([0xe9, 0x0a])]);
    const sizes: number[] = [];
    for (const byte of bytes) {
      stream.write(Uint8Array.of(byte));
      sizes.push(statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    }
    expect(sizes.slice(12, 20).every((size) => size > 0)).toBe(true);
    stream.end();
    stream.end();
    await artifacts.close();
    expect(readFileSync(file)).toEqual(
      Buffer.concat([Buffer.from('first line\nan [redacted:X], caf'), Buffer.from([0xe9, 0x0a])]),
    );
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  test('what programs write to scratch is moved into the directory, and takes nothing from our own files', async () => {
    const artifacts = artifactsOf();
    const place = artifacts.scratch();
    expect([place.startsWith(paths.directory), statSync(place).mode & 0o777]).toEqual([false, 0o700]);
    await artifacts.write('stdout.log', 'ours');
    writeFileSync(join(place, 'stdout.log'), 'theirs');
    writeFileSync(join(place, 'state'), 'before');
    mkdirSync(join(place, 'deep'));
    writeFileSync(join(place, 'deep/log'), 'a secret é');
    artifacts.takeOver();
    writeFileSync(join(place, 'state'), 'after');
    const directory = join(paths.directory, (await artifacts.close()).directory ?? '');
    const contents = ['stdout.log', 'stdout.log.agent', 'state', 'deep/log'].map((name) =>
      readFileSync(join(directory, name), 'utf8'),
    );
    expect(contents).toEqual(['ours', 'theirs', 'after', '[redacted:X]']);
    expect(existsSync(place)).toBe(false);
  });

  test('what was taken over before makes room, also when it is too deep to be removed at once', async () => {
    const artifacts = artifactsOf();
    const place = artifacts.scratch();
    for (const _ of ['first', 'second']) {
      mkdirSync(join(place, 'deep'));
      makeDeepTree(join(place, 'deep'), 300);
      artifacts.takeOver();
    }
    const { directory = '' } = await artifacts.close();
    // Node 20 cannot remove such a tree at once, and puts it aside.
    const names = readdirSync(join(paths.directory, directory)).filter((name) => !name.endsWith('.aside'));
    expect([names, failures]).toEqual([['deep'], []]);
  });

  test('a closed folder and a name that is not UTF-8 are moved like any other', async () => {
    const artifacts = artifactsOf();
    const place = artifacts.scratch();
    mkdirSync(join(place, 'closed'));
    writeFileSync(join(place, 'closed/log'), 'x');
    chmodSync(join(place, 'closed'), 0o500);
    writeFileSync(Buffer.concat([Buffer.from(`${place}/`), Buffer.from([0xff])]), 'x');
    const { directory = '' } = await artifacts.close();
    const names = readdirSync(join(paths.directory, directory), { encoding: 'latin1' });
    expect(names.toSorted()).toEqual(['closed', '\xff']);
    expect(readFileSync(join(paths.directory, directory, 'closed/log'), 'utf8')).toBe('x');
  });

  test('nothing is kept of a scratch folder that is empty, gone or replaced by a link', async () => {
    const acts = [
      () => {},
      (place: string) => rmSync(place, { recursive: true }),
      (place: string) => {
        rmSync(place, { recursive: true });
        symlinkSync('/etc', place);
      },
    ];
    const ends: unknown[] = [];
    for (const [index, act] of acts.entries()) {
      const artifacts = artifactsOf(index + 1);
      const place = artifacts.scratch();
      act(place);
      ends.push([(await artifacts.close()).directory, existsSync(place)]);
    }
    expect(ends).toEqual([
      [undefined, false],
      [undefined, false],
      [undefined, false],
    ]);
  });

  test('what the agent itself has put there loses its secrets too, and is for its owner alone', async () => {
    const artifacts = artifactsOf();
    const folder = artifacts.directory();
    mkdirSync(join(folder, 'deep'), { mode: 0o755 });
    const outside = join(paths.directory, 'outside');
    writeFileSync(outside, 'a secret é', { mode: 0o644 });
    writeFileSync(join(folder, 'deep', 'session.jsonl'), 'a secret é of é\n', { mode: 0o644 });
    writeFileSync(join(folder, 'zero'), '\0 a secret é');
    writeFileSync(join(folder, 'binary'), binary('a secret é'));
    writeFileSync(join(folder, 'broken'), binary('nothing'));
    writeFileSync(
      join(folder, 'large'),
      Buffer.concat([Buffer.alloc(8 * 2 ** 20 - 3), binary('a secret é')]),
    );
    linkSync(outside, join(folder, 'hard'));
    symlinkSync(outside, join(folder, 'soft'));
    await artifacts.close();
    const contentsOf = (...names: string[]) => names.map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(contentsOf('deep/session.jsonl', 'zero', 'hard')).toEqual([
      '[redacted:X] of é\n',
      '\0 [redacted:X]',
      '[redacted:X]',
    ]);
    expect([readFileSync(outside, 'utf8'), statSync(outside).mode & 0o777]).toEqual(['a secret é', 0o644]);
    const bytesOf = (name: string) => readFileSync(join(folder, name));
    expect([bytesOf('binary'), bytesOf('broken')]).toEqual([binary('[redacted:X]'), binary('nothing')]);
    expect(bytesOf('large').subarray(8 * 2 ** 20 - 3)).toEqual(binary('[redacted:X]'));
    expect(readdirSync(folder).toSorted()).toEqual([
      'binary',
      'broken',
      'deep',
      'hard',
      'large',
      'soft',
      'zero',
    ]);
    const modes = ['deep', 'deep/session.jsonl', 'binary', 'large'].map(
      (name) => statSync(join(folder, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
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

  test('an agent may replace the directory by a file', async () => {
    const artifacts = artifactsOf();
    const folder = artifacts.directory();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'mine');
    expect(await artifacts.close()).toEqual({ notes: [] });
  });

  test('bytes lose their secrets whether they are text or not, and nothing else', async () => {
    const artifacts = artifactsOf();
    await artifacts.write('text', Buffer.from('\ufeffé a secret é'));
    await artifacts.write('image', binary('a secret é'));
    const directory = join(paths.directory, (await artifacts.close()).directory ?? '');
    expect(readFileSync(join(directory, 'text'), 'utf8')).toBe('\ufeffé [redacted:X]');
    expect(readFileSync(join(directory, 'image'))).toEqual(binary('[redacted:X]'));
  });

  test.each(['', '\ufeff'])(
    'text in UTF-16 loses its secrets and stays readable, after %j',
    async (before) => {
      const artifacts = artifactsOf();
      const wide = (text: string) => Buffer.from(`${before}${text}`, 'utf16le');
      await artifacts.write('own.txt', wide('= a secret é.'));
      writeFileSync(join(artifacts.directory(), 'left.txt'), wide('= a secret é.'));
      const directory = artifacts.directory();
      await artifacts.close();
      const read = (name: string) => readFileSync(join(directory, name), 'utf16le');
      expect([read('own.txt'), read('left.txt')]).toEqual(Array(2).fill(`${before}= [redacted:X].`));
    },
  );

  test('a name cannot lead out of the directory', async () => {
    const artifacts = artifactsOf();
    await artifacts.write('../../../escape.txt', 'x');
    expect(readdirSync(join(paths.directory, (await artifacts.close()).directory ?? ''))).toEqual([
      'escape.txt',
    ]);
    expect(existsSync(join(paths.directory, 'escape.txt'))).toBe(false);
  });

  test('an empty directory is removed again, one with files of another attempt stays', async () => {
    const first = artifactsOf(1);
    await first.write('a', 'x');
    const second = artifactsOf(2);
    second.directory();
    expect(await second.close()).toEqual({ notes: [] });
    expect(readdirSync(join(paths.trials, trialDirectoryName(id)))).toEqual(['attempt-1']);
    rmSync(paths.trials, { recursive: true });
    const third = artifactsOf(3);
    third.directory();
    expect([await third.close(), readdirSync(paths.trials)]).toEqual([{ notes: [] }, []]);
  });

  test('an agent that removes the directory ends nothing', async () => {
    const artifacts = artifactsOf();
    rmSync(artifacts.directory(), { recursive: true });
    expect(await artifacts.close()).toEqual({ notes: [] });
    const again = artifactsOf();
    rmSync(again.directory(), { recursive: true });
    await again.write('stdout.log', 'x');
    expect(await again.close()).toEqual({
      directory: `trials/${trialDirectoryName(id)}/attempt-1`,
      notes: [],
    });
    expect(failures).toEqual([]);
  });

  test('an agent that closes the directory ends nothing, and hides no secret', async () => {
    const artifacts = artifactsOf();
    const folder = artifacts.directory();
    mkdirSync(join(folder, 'deep'));
    writeFileSync(join(folder, 'deep', 'own'), 'a secret é');
    for (const closed of ['deep/own', 'deep', '.']) chmodSync(join(folder, closed), 0);
    await artifacts.write('stdout.log', 'x');
    const modes = () => ['.', 'deep', 'deep/own'].map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes()).toEqual([0o700, 0, 0]);
    chmodSync(folder, 0);
    await artifacts.close();
    expect(modes()).toEqual([0o700, 0o700, 0o600]);
    expect(readFileSync(join(folder, 'deep', 'own'), 'utf8')).toBe('[redacted:X]');
    expect(failures).toEqual([]);
  });

  test('an agent that leaves too much loses that, and ends nothing', async () => {
    const artifacts = artifactsOf();
    const folder = artifacts.directory();
    makeDeepTree(folder, 250);
    writeFileSync(join(folder, 'sparse.bin'), '');
    truncateSync(join(folder, 'sparse.bin'), 2 ** 31);
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x61, 0xff])]), 'a secret é');
    mkdirSync(join(folder, 'stdout.log'));
    makeDeepTree(join(folder, 'stdout.log'), 250);
    await artifacts.write('stdout.log', 'x');
    const { directory, notes } = await artifacts.close();
    expect(directory).toBe(`trials/${trialDirectoryName(id)}/attempt-1`);
    const why = 'artifacts of the agent were not kept, because only';
    expect(notes.map((note) => note.replaceAll('d'.repeat(20), 'd'))).toEqual([
      `${why} 64 MB a file and 1 GB in all are searched for secrets: sparse.bin`,
      expect.stringMatching(`^${why} 100 levels of folders are searched for secrets: d/d/`),
    ]);
    expect(readFileSync(join(folder, 'stdout.log'), 'utf8')).toBe('x');
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('x');
    expect(readFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x61, 0xff])]), 'utf8')).toBe(
      '[redacted:X]',
    );
    expect(failures).toEqual([]);
  });

  test('attempts that end at the same time are cleaned one after the other', async () => {
    const options = {
      redactor: createRedactor({ environment: {}, literals: [{ name: 'X', value: 'a secret é' }] }),
      onFailure: (error: unknown) => failures.push(error),
    };
    const attempts = [1, 2, 3].map((attempt) => attemptDirectory(paths, { ...id, attempt }, options));
    for (const each of attempts) writeFileSync(join(each.directory(), 'left.txt'), 'a secret é');
    await Promise.all(attempts.map((each) => each.close()));
    const texts = attempts.map((each) => readFileSync(join(each.directory(), 'left.txt'), 'utf8'));
    expect(texts).toEqual(Array(3).fill('[redacted:X]'));
  });

  test('the thread stays responsive while files of an agent are searched', async () => {
    const artifacts = artifactsOf();
    writeFileSync(join(artifacts.directory(), 'large.txt'), 'x'.repeat(40 * 2 ** 20));
    let turns = 0;
    let isClosed = false;
    const count = (): void => {
      turns += 1;
      if (!isClosed) setImmediate(count);
    };
    setImmediate(count);
    await artifacts.close();
    isClosed = true;
    expect(turns).toBeGreaterThan(10);
  });

  test('what cannot be written is thrown and told', () => {
    mkdirSync(join(paths.trials, '..'), { recursive: true });
    writeFileSync(paths.trials, 'a file, no folder');
    expect(() => artifactsOf().directory()).toThrow('cannot write ');
    expect(failures).toMatchObject([{ code: 'results-not-written' }]);
  });
});
