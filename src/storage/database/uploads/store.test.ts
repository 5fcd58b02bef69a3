import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { specOf } from '../../../../test/support/run-spec.ts';
import {
  codeOf,
  FACTS,
  keyOf,
  LONG,
  readAll,
  redactor,
  unmeasured,
  withoutNumbers,
  write,
} from '../../../../test/support/written-runs.ts';
import { uploadRun } from '../../../app/upload-run.ts';
import { runFiles } from '../../../app/upload/run-files.ts';
import { uploadLines } from '../../../app/upload/upload-lines.ts';
import type { RunSpec } from '../../../core/run-spec.ts';
import type { OpenRun, StoredRun } from '../../../core/run-store.ts';
import { MOST_UPLOADED_BYTES, type UploadLine } from '../../../core/run-upload.ts';
import { sha256 } from '../../../lib/digest.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { all, AT, attemptOf, ended, manifestOf, note, of, rowOf } from '../../run-directory/fixtures/runs.ts';
import { trialDirectoryName } from '../../run-directory/paths.ts';
import { runDirectories } from '../../run-directory/store.ts';
import { databaseRuns } from '../runs/store.ts';
import { databaseUploads } from './store.ts';
import { folderOfTest } from '../../../../test/support/test-folders.ts';

onBothDatabases('uploading a run directory', (database) => {
  let folder: string;
  beforeEach(() => {
    folder = folderOfTest('assay-upload-test-');
  });
  const room = () => ({ database: database(), folder: join(folder, 'store'), fold: TALLY_FOLD });
  const uploads = () => databaseUploads(room());
  const directories = () => runDirectories(join(folder, 'runs'), folder);
  const stored = (id: string) => databaseRuns(room()).open(id);
  const begin = (overrides = {}, spec?: RunSpec): Promise<OpenRun> =>
    directories().create({
      spec,
      startedAt: Date.UTC(2026, 0, 1),
      redactor,
      manifest: (id) => manifestOf({ id, state: 'running', digests: ['x'], ...overrides }),
    });
  const reread = (run: OpenRun): StoredRun => directories().open(run.manifest.id);
  const upload = (run: OpenRun, choice = {}) => uploadRun(reread(run), uploads(), choice);
  const finish = async (run: OpenRun, digests = run.manifest.digests): Promise<void> => {
    await run.save({ ...run.manifest, digests, state: 'completed', exitCode: 0, endedAt: AT });
    await run.release();
  };
  const completed = async (overrides = {}): Promise<OpenRun> => {
    const run = await begin(overrides);
    await write(run, FACTS);
    await finish(run);
    return run;
  };
  const runRows = () => database().query('select id, origin, state, line, tags, last_sequence from run');

  test('gives the store an equal run, with its large texts', async () => {
    const run = await completed();
    const { id } = run.manifest;
    expect(await upload(run)).toEqual({ run: id, isNew: true, newEvents: FACTS.length, sent: 2, notes: [] });
    expect(await readAll(stored(id))).toEqual(await readAll(reread(run)));
    expect(await stored(id).state()).toBe('completed');
    expect(await runRows()).toMatchObject([{ origin: 'upload', state: 'completed', line: null, tags: [] }]);
    const text = await stored(id).attachment(sha256(LONG));
    expect(text?.bytes).toBe(LONG.length);
  });

  test('a second time changes nothing', async () => {
    const run = await completed();
    await upload(run);
    const before = await database().query('select * from run_event');
    expect(await upload(run)).toMatchObject({ isNew: false, newEvents: 0, sent: 0 });
    expect(await database().query('select * from run_event')).toEqual(before);
  });

  test('of a run in progress stores what there is, and later the rest only', async () => {
    const run = await begin();
    await write(run, FACTS.slice(0, 5));
    await run.keepFrozen([{ digest: 'x', kind: 'case', body: { id: 'a' } }]);
    expect(await upload(run)).toMatchObject({ newEvents: 5 });
    const { id } = run.manifest;
    expect(await stored(id).state()).toBe('interrupted');
    await write(run, FACTS.slice(5), 5);
    await run.keepFrozen([{ digest: 'y', kind: 'case', body: { id: 'b' } }]);
    await finish(run, ['x', 'y']);
    expect(await upload(run)).toMatchObject({ isNew: false, newEvents: FACTS.length - 5 });
    expect(await readAll(stored(id))).toEqual(await readAll(reread(run)));
    expect(await all(stored(id).frozen())).toEqual(await all(reread(run).frozen()));
  });

  test('keeps its line, and adds tags to those it has', async () => {
    const run = await completed();
    await upload(run, { line: 'nightly', tags: ['ci', 'ci', 'main'] });
    await upload(run, { tags: ['main', 'later'] });
    expect(await runRows()).toMatchObject([{ line: 'nightly', tags: ['ci', 'main', 'later'] }]);
  });

  describe('with a plan', () => {
    const kinds = [{ targets: ['t'], repeat: 1 }];
    const trials = () => database().query('select number, key, verdict from trial order by number');
    const trial = (number: number, caseId: string, verdict: string | null = null) => ({
      number,
      key: keyOf(caseId),
      verdict,
    });

    test('has all trials of it', async () => {
      const run = await begin({}, specOf(['a', 'b', 'c'], kinds));
      await write(run, [ended(rowOf('b', { number: 2 }))]);
      await finish(run);
      await upload(run);
      expect(await trials()).toEqual([trial(1, 'a'), trial(2, 'b', 'passed'), trial(3, 'c')]);
      await upload(run);
      expect(await trials()).toHaveLength(3);
      const { digests: _, ...kept } = specOf(['a', 'b', 'c'], kinds);
      expect(await stored(run.manifest.id).spec()).toEqual({ ...kept, digests: ['x'] });
    });

    test('that was changed during the run has only those of it that the log numbers', async () => {
      const run = await begin({}, specOf(['a', 'b'], kinds));
      await write(run, [ended(rowOf('a', { number: 1 }))]);
      await run.release();
      await upload(run);
      expect(await trials()).toEqual([trial(1, 'a', 'passed'), trial(2, 'b')]);
      const again = await (await directories().claim(reread(run))).open(run.manifest, redactor);
      await again.keepSpec(specOf(['c', 'a', 'd'], kinds));
      await write(again, [ended(rowOf('c', { number: 3 }))], 1);
      await finish(again);
      await upload(run);
      expect(await trials()).toEqual([trial(1, 'a', 'passed'), trial(3, 'c', 'passed')]);
    });

    test('of endless repetitions is refused', async () => {
      const run = await begin({}, specOf(['a'], [{ targets: ['t'], repeat: 2_000_000_000 }]));
      await run.release();
      await expect(upload(run)).rejects.toThrow(
        'its plan has 2000000000 trials, but at most 1000000 are allowed',
      );
      expect(await runRows()).toEqual([]);
    });
  });

  describe('refuses', () => {
    test('another log', async () => {
      const run = await completed();
      await upload(run);
      const file = join(reread(run).place, 'events.jsonl');
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace('first try', 'First try'));
      await expect(upload(run)).rejects.toMatchObject({
        code: 'run-differs',
        message: `the store already has a different run with the id ${run.manifest.id}: event 4 of its log is different`,
      });
      truncateSync(file, text.indexOf('\n') + 1);
      await expect(upload(run)).rejects.toThrow(
        `its log has ${FACTS.length} events, but the log in the directory has only 1`,
      );
      writeFileSync(file, text);
      expect(await upload(run)).toMatchObject({ newEvents: 0 });
    });

    test('another run under its id, and other digests', async () => {
      const run = await completed();
      await upload(run);
      const file = join(reread(run).place, 'run.json');
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace('"x"', '"y"'));
      expect(await codeOf(upload(run))).toBe('run-differs');
      writeFileSync(file, text);
      await database().query(`update run set origin = 'cli'`);
      expect(await codeOf(upload(run))).toBe('run-differs');
    });

    test('a log with a gap and a row of no kind, and stores nothing of them', async () => {
      const gap = await begin();
      await write(gap, FACTS.slice(0, 2));
      appendFileSync(
        join(reread(gap).place, 'events.jsonl'),
        `${JSON.stringify({ sequence: 9, ...note('x') })}\n`,
      );
      await expect(upload(gap)).rejects.toThrow('line 3 of events.jsonl is event 9, expected event 3');
      const odd = await begin();
      await write(odd, [ended(rowOf('a', { verdict: 'splendid' as 'passed' }))]);
      await expect(upload(odd)).rejects.toThrow('events.jsonl, line 1: event.fact.row.verdict: ');
      expect(await runRows()).toEqual([]);
    });

    test('an id that leads elsewhere', async () => {
      const lines = [{ type: 'run', manifest: manifestOf({ id: '../../x' }) } as const];
      const run = { ...reread(await completed()), manifest: async () => lines[0]?.manifest ?? manifestOf() };
      await expect(uploadRun(run, uploads(), {})).rejects.toThrow(
        'run.json: manifest.id: expected the id of a run',
      );
    });

    test('a second upload of the same run at the same time', async () => {
      const run = await begin();
      const many = Array.from({ length: 700 }, (_, index) => note(`${index}`));
      await write(run, [...FACTS, ...many]);
      await finish(run);
      const second: (string | undefined)[] = [];
      async function* lines(): AsyncGenerator<UploadLine> {
        let count = 0;
        const source = reread(run);
        for await (const line of uploadLines(source, runFiles(source), {})) {
          if ((count += 1) === 600) second.push(await codeOf(upload(run)));
          yield line;
        }
      }
      expect(await codeOf(uploads().take(lines()))).toBeUndefined();
      expect(second).toEqual(['run-in-use']);
    });
  });

  test('gives the error of who sends, not one of the database', async () => {
    const lost = async function* (): AsyncGenerator<UploadLine> {
      yield* [];
      throw new Error('the connection was lost');
    };
    await expect(uploads().take(lost())).rejects.toThrow(/^the connection was lost$/);
  });

  test('that is cut off leaves nothing or the beginning of the log, and is continued', async () => {
    const run = await begin();
    const many = Array.from({ length: 700 }, (_, index) => note(`${index}`));
    await write(run, [...FACTS, ...many]);
    await finish(run);
    const { id } = run.manifest;
    const cut = async (after: number): Promise<string | undefined> => {
      const source = reread(run);
      async function* lines(): AsyncGenerator<UploadLine> {
        let count = 0;
        for await (const line of uploadLines(source, runFiles(source), {})) {
          if ((count += 1) > after) return;
          yield line;
        }
      }
      return await codeOf(
        uploads()
          .take(lines())
          .then(() => undefined),
      );
    };
    expect(await cut(4)).toBe('upload-invalid');
    expect(await runRows()).toEqual([]);
    expect(await cut(600)).toBe('upload-invalid');
    expect(await runRows()).toMatchObject([{ state: 'running', last_sequence: 500 }]);
    expect(await stored(id).state()).toBe('interrupted');
    expect(await upload(run)).toMatchObject({ isNew: false, newEvents: FACTS.length + 200, sent: 2 });
    expect(await readAll(stored(id))).toEqual(await readAll(reread(run)));
  });

  describe('of files that attempts left', () => {
    const withFiles = async (files: Readonly<Record<string, string>>): Promise<OpenRun> => {
      const run = await begin();
      const artifacts = run.artifacts(rowOf('a'), 1, () => undefined);
      for (const [name, text] of Object.entries(files)) await artifacts.write(name, text);
      await artifacts.close();
      await write(run, [
        of('a', { type: 'trial-start', number: 1 }),
        ...attemptOf('a', 1, ['hi']),
        ended(rowOf('a')),
      ]);
      await finish(run);
      return run;
    };
    const folderOf = (run: OpenRun): string =>
      reread(run).placeOf(`trials/${trialDirectoryName(rowOf('a'))}/attempt-1`);
    const contentOf = async (run: OpenRun, name: string) => {
      const file = await stored(run.manifest.id).artifact(rowOf('a'), { attempt: 1, name });
      return file && Buffer.concat(await all(file.content())).toString();
    };

    test('keeps their bytes, and asks only for new ones', async () => {
      const run = await withFiles({ 'one.txt': 'one', 'two.txt': 'two', 'same.txt': 'two' });
      mkdirSync(join(folderOf(run), 'a'));
      writeFileSync(join(folderOf(run), 'a/one.txt'), 'one');
      expect(await upload(run)).toMatchObject({ sent: 2, notes: [] });
      expect(await stored(run.manifest.id).artifacts(rowOf('a'))).toEqual(
        await reread(run).artifacts(rowOf('a')),
      );
      expect(await contentOf(run, 'a/one.txt')).toBe('one');
      writeFileSync(join(folderOf(run), 'two.txt'), 'changed');
      mkdirSync(join(folderOf(run), 'b'));
      writeFileSync(join(folderOf(run), 'b/new.txt'), 'one');
      expect(await upload(run)).toMatchObject({ newEvents: 0, sent: 1 });
      expect([await contentOf(run, 'two.txt'), await contentOf(run, 'b/new.txt')]).toEqual([
        'changed',
        'one',
      ]);
      const other = await withFiles({ 'three.txt': 'one' });
      expect(await upload(other)).toMatchObject({ sent: 0 });
      expect(await contentOf(other, 'three.txt')).toBe('one');
    });

    test('tells of those that are too large', async () => {
      const run = await withFiles({ 'small.txt': 'small' });
      writeFileSync(join(folderOf(run), 'large.bin'), '');
      truncateSync(join(folderOf(run), 'large.bin'), MOST_UPLOADED_BYTES + 1);
      expect(await upload(run)).toMatchObject({
        sent: 1,
        notes: ['s/a/t/r1: attempt 1: large.bin was not uploaded: it has 65 MB, at most 64 MB are kept'],
      });
    });

    test('refuses bytes that no run refers to, and bytes with another digest', async () => {
      const run = await withFiles({ 'one.txt': 'one' });
      const source = reread(run);
      const content = (text: string) =>
        async function* () {
          yield Buffer.from(text);
        };
      expect(await codeOf(uploads().keep(sha256('one'), content('one')))).toBe('bytes-not-awaited');
      const { missing } = await uploads().take(uploadLines(source, runFiles(source), {}));
      expect(missing).toEqual([sha256('one')]);
      expect(await codeOf(uploads().keep(sha256('one'), content('two')))).toBe('bytes-differ');
      expect(await contentOf(run, 'one.txt')).toBeUndefined();
      expect(await codeOf(uploads().keep(sha256('one'), content('one')))).toBeUndefined();
      expect(await codeOf(uploads().keep(sha256('one'), content('one')))).toBeUndefined();
      expect(await contentOf(run, 'one.txt')).toBe('one');
    });
  });

  test('a run that was uploaded cannot be claimed', async () => {
    const run = await completed();
    await upload(run);
    await expect(databaseRuns(room()).claim(stored(run.manifest.id))).rejects.toMatchObject({
      code: 'run-not-here',
    });
  });

  test('of a run that was resumed brings the trials that ran again', async () => {
    const run = await begin();
    await write(run, withoutNumbers([...FACTS, ended(unmeasured('d'))]));
    await run.save({ ...run.manifest, state: 'interrupted' });
    await run.release();
    await upload(run);
    const { id } = run.manifest;
    expect(await stored(id).counts()).toMatchObject({ passed: 1, errored: 1 });
    const claimed = await directories().claim(reread(run));
    await claimed.keepRows(({ caseId }) => caseId !== 'd');
    const again = await claimed.open({ ...run.manifest, digests: ['x', 'z'] }, redactor);
    await write(again, withoutNumbers([ended(rowOf('d'))]), FACTS.length + 1);
    await finish(again);
    expect(await upload(run)).toMatchObject({ newEvents: 1 });
    expect(await stored(id).counts()).toEqual(await reread(run).counts());
    expect(await readAll(stored(id))).toEqual(await readAll(reread(run)));
  });
});
