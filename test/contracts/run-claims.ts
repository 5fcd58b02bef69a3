import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Emitted } from '../../src/core/run.ts';
import { trialKey } from '../../src/core/trial.ts';
import { all, attemptOf, ended, note, rowOf, said } from '../../src/storage/run-directory/fixtures/runs.ts';
import {
  codeOf,
  complete,
  FACTS,
  HIDDEN,
  keyOf,
  redactor,
  SECRET,
  unmeasured,
  write,
} from '../support/written-runs.ts';
import { DAY, START, storeInFolder, type StoreKind } from '../support/store-in-folder.ts';

/** What every run store keeps to where a run is claimed and gone on with. */
export function runClaimsContract(name: string, kind: StoreKind): void {
  const { store, folder, begin, anew } = storeInFolder(kind);

  describe(`${name}, claiming a run`, () => {
    test('gives it to one writer at a time', async () => {
      const run = await begin();
      expect(await anew(run).state()).toBe('running');
      expect(await codeOf(store().claim(anew(run)))).toBe('run-in-use');
      await run.release();
      const claimed = await store().claim(anew(run));
      expect(await codeOf(store().claim(anew(run)))).toBe('run-in-use');
      await claimed.release();
      await (await store().claim(anew(run))).release();
    });

    test('calls a run interrupted that nobody writes and that has no end', async () => {
      const run = await begin();
      await run.release();
      expect([await anew(run).state(), (await anew(run).head()).state]).toEqual(['interrupted', 'running']);
      const done = await complete(await begin(START + DAY), []);
      expect(await anew(done).state()).toBe('completed');
    });

    test('goes on with it: rows that were dropped are void, and the new ones count', async () => {
      const [a, failed, passed] = [rowOf('a'), unmeasured('b'), rowOf('b')];
      const before = await begin();
      const first = await write(before, [ended(a), ...attemptOf('b', 1, ['old']), ended(failed)]);
      await before.release();

      const claimed = await store().claim(anew(before));
      expect(await all(claimed.loggedRows())).toEqual([a, failed]);
      expect(await all(claimed.stored.rows())).toEqual([a, failed]);
      await claimed.keepRows(({ passed: isPassed }) => isPassed);
      expect(await all(claimed.stored.rows())).toEqual([a]);
      expect(await all(anew(before).rows())).toEqual([a, failed]);
      const run = await claimed.open({ ...before.manifest, seed: 9 }, redactor);
      const dropped = [trialKey(failed)];
      const resume: Emitted = { ...note(''), fact: { type: 'run-resume', remaining: 1, dropped } };
      const second = await write(run, [resume], first.length);
      expect(await all(anew(run).rows())).toEqual([a]);
      const third = await write(
        run,
        [...attemptOf('b', 1, ['new']), ended(passed)],
        first.length + second.length,
      );
      const events = [...first, ...second, ...third];

      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
      expect(await all(anew(run).events())).toEqual(events);
      const ends = await anew(run).ends();
      const [old, last] = [first.length, events.length];
      expect([old, last].map((sequence) => ends.isLast(trialKey(failed), sequence))).toEqual([false, true]);
      expect([old, last].map((sequence) => ends.isVoid(trialKey(failed), sequence))).toEqual([true, false]);
      for (const reader of [run.stored, anew(run)]) {
        expect(await all(reader.rows())).toEqual([a, passed]);
        expect(await all(reader.trials())).toEqual([
          { row: a, transcript: [] },
          { row: passed, transcript: [said('e1', 'new')] },
        ]);
      }
      expect((await anew(run).manifest()).seed).toBe(9);
      await run.release();
    });

    test('takes rows back that were to be run again and were not', async () => {
      const rows = [rowOf('a'), unmeasured('b')];
      const before = await begin();
      await write(before, rows.map(ended));
      await before.release();
      const claimed = await store().claim(anew(before));
      await claimed.keepRows(({ passed }) => passed);
      claimed.addRows(rows.slice(1));
      expect(await all(claimed.stored.rows())).toEqual(rows);
      await claimed.release();
    });

    test('drops the files of attempts without an end, and no others', async () => {
      const before = await begin();
      const folders = [1, 2].map((attempt) => before.artifacts(rowOf('a'), attempt, () => {}));
      for (const each of folders) await each.write('x', '');
      const [first = '', second = ''] = folders.map((each) => each.directory());
      await before.release();
      const claimed = await store().claim(anew(before));
      await claimed.dropStrayAttempts(new Map([[keyOf('a'), 1]]));
      expect([first, second].map((file) => existsSync(file))).toEqual([true, false]);
      await claimed.release();
    });
  });

  describe(`${name}, claiming what an attempt left`, () => {
    test('lets one at a time add to it, without secrets and apart from what is there', async () => {
      const run = await begin();
      const left = run.artifacts(rowOf('a'), 1, () => {});
      await left.write('said.txt', 'a');
      const { directory = '' } = await left.close();
      await complete(run, []);
      const attempt = { run: anew(run), name: directory };
      const claimed = await store().claimAttempt(attempt);
      expect(await codeOf(store().claimAttempt(attempt))).toBe('run-in-use');
      const artifacts = claimed.artifacts('asked/once', redactor);
      await artifacts.write('said.txt', `b ${SECRET}`);
      writeFileSync(join(artifacts.directory(), 'foreign.txt'), `c ${SECRET}`);
      await artifacts.close();
      await claimed.release();
      const files = ['said.txt', 'asked/once/said.txt', 'asked/once/foreign.txt'];
      const texts = files.map((file) => readFileSync(attempt.run.placeOf(`${directory}/${file}`), 'utf8'));
      expect(texts).toEqual(['a', `b ${HIDDEN}`, `c ${HIDDEN}`]);
      (await store().claimAttempt(attempt)).release();
    });
  });

  if (!kind.isDurable) return;

  describe(`${name}, opened a second time`, () => {
    test('has the runs of the first one, and respects its claims', async () => {
      const run = await begin();
      const events = await write(run, FACTS);
      const other = kind.open(folder());
      expect(await other.list()).toEqual([run.manifest.id]);
      const { run: found } = await other.find('latest');
      expect([await found.state(), await all(found.events())]).toEqual(['running', events]);
      expect(await codeOf(other.claim(found))).toBe('run-in-use');
      await run.release();
      const claimed = await other.claim(found);
      expect(await codeOf(store().claim(anew(run)))).toBe('run-in-use');
      await claimed.release();
    });
  });
}
