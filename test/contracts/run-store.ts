import { readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { outcomeOfRow } from '../../src/core/row-outcome.ts';
import type { Frozen, Row } from '../../src/core/run.ts';
import type { RunReference, StoredRun } from '../../src/core/run-store.ts';
import { all, attemptOf, ended, of, rowOf, said } from '../../src/storage/run-directory/fixtures/runs.ts';
import { rowLists } from '../support/row-lists.ts';
import {
  besideOf,
  codeOf,
  complete,
  countsOf,
  FACTS,
  finish,
  HIDDEN,
  LONG,
  readAll,
  SECRET,
  toldByFacts,
  write,
} from '../support/written-runs.ts';
import { DAY, START, storeInFolder, type StoreKind } from '../support/store-in-folder.ts';

/** What every run store keeps to. */
export function runStoreContract(name: string, kind: StoreKind): void {
  const { store, folder, begin, anew } = storeInFolder(kind);

  describe(`${name}, asked for a run`, () => {
    const idsOf = async (...starts: readonly number[]): Promise<readonly string[]> => {
      const ids: string[] = [];
      for (const startedAt of starts) ids.push((await complete(await begin(startedAt), [])).manifest.id);
      return ids;
    };

    test('lists ids, oldest first, whatever the order in which they began', async () => {
      expect(await store().list()).toEqual([]);
      const [second, third, first] = await idsOf(START + DAY, START + DAY + 500, START);
      expect(await store().list()).toEqual([first, second, third]);
    });

    test('finds it by its place, its id, the unique beginning of one and as the latest, with a target too', async () => {
      const [old = '', latest = ''] = await idsOf(START, START + DAY);
      const place = store().open(old).place;
      const expected = { name: old, reference: old, place };
      for (const reference of [old, place, old.slice(0, 8)]) {
        expect(namesIn(await store().find(reference))).toEqual(expected);
        expect(namesIn(await store().find(`${reference}#bot`))).toEqual({ ...expected, target: 'bot' });
      }
      expect((await store().find('latest')).run.name).toBe(latest);
      expect((await (await store().find('latest')).run.manifest()).id).toBe(latest);
    });

    test('says when no run or several are meant', async () => {
      expect(await codeOf(store().find('latest'))).toBe('run-not-found');
      const [, one, other] = await idsOf(START, START + DAY, START + DAY + 500);
      for (const reference of ['2027', '', '#bot', 'lat']) {
        expect(await codeOf(store().find(reference))).toBe('run-not-found');
      }
      const refused = store().find('20260102');
      await expect(refused).rejects.toThrow(`"20260102" is the beginning of 2 runs: ${one}, ${other}`);
      expect(await codeOf(store().find('20260102'))).toBe('run-ambiguous');
    });

    test('cannot read one that it does not have', async () => {
      expect(await codeOf(store().open('20200101T000000Z-000000').manifest())).toBe('run-unreadable');
    });
  });

  describe(`${name}, holding a run`, () => {
    test('gives back what was written, to the writer and to others, while it is open and afterwards', async () => {
      const run = await begin(START, { command: ['run', SECRET], digests: ['x', 'y'] });
      const events = await write(run, FACTS);
      const manifest = { ...run.manifest, command: ['run', HIDDEN] };
      const told = toldByFacts(manifest, events);
      expect(JSON.stringify([...told.rows, ...events])).not.toContain(SECRET);
      expect(told.rows[0]?.output).toMatchObject({ bytes: LONG.length });
      expect(await readAll(run.run)).toEqual(told);
      expect(await readAll(anew(run))).toEqual(told);

      finish(run, told.rows);
      const { manifest: kept, ...rest } = await readAll(anew(run));
      expect({ ...rest, manifest }).toEqual(told);
      expect(kept).toMatchObject({ ...manifest, state: 'completed', exitCode: 0 });
      const { digests: _, ...head } = kept;
      expect(await anew(run).head()).toEqual(head);
    });

    test('reads what its end tells of it', async () => {
      const run = await begin();
      const { rows, beside, counts } = toldByFacts(run.manifest, await write(run, FACTS));
      finish(run, rows, { events: beside });
      expect(await besideOf(anew(run))).toEqual(beside);
      expect(await anew(run).counts()).toEqual(counts);
    });

    test('resolves an entry that was put aside, and refuses one that it does not have', async () => {
      const run = await complete(await begin(), [
        ...attemptOf('a', 1, []),
        of('a', { type: 'transcript-entry', entry: said('e1', `${LONG} ${SECRET}`) }),
      ]);
      const [aside] = (await all(run.run.events())).flatMap(({ fact }) =>
        fact.type === 'transcript-entry' ? [fact.entry] : [],
      );
      if (aside === undefined || !('attachment' in aside)) throw new Error('the entry stands in its place');
      expect(run.run.wholeEntry(aside)).toEqual(said('e1', `${LONG} ${HIDDEN}`));
      const lost = () => run.run.wholeEntry({ ...aside, attachment: 'a'.repeat(64) });
      expect(lost).toThrow(expect.objectContaining({ code: 'run-unreadable' }));
    });

    test('keeps the first copy under each digest, without secrets, and finds copies by digest', async () => {
      const run = await begin();
      await run.keepFrozen([copyOf('aa', `one ${SECRET}`), copyOf('bb', 'two')]);
      await run.keepFrozen([copyOf('bb', 'other'), copyOf('cc', 'three')]);
      const kept = [copyOf('aa', `one ${HIDDEN}`), copyOf('bb', 'two'), copyOf('cc', 'three')];
      expect(await all(anew(run).frozen())).toEqual(kept);
      expect(await all(anew(run).frozen(new Set(['cc', 'dd'])))).toEqual(kept.slice(2));
    });

    test('gives rows to another run with their answers whole and their files where they are', async () => {
      const row = rowOf('a', { output: LONG, artifactDir: 'trials/a', workspacePath: '/kept' });
      const run = await complete(await begin(), [ended(row)]);
      const [kept = row] = await all(run.run.rows());
      expect(kept.output).not.toBe(LONG);
      const place = join(folder(), 'other');
      const { artifactDir = '', workspacePath = '', ...moved } = anew(run).movedRow(kept, place);
      expect({ ...moved, artifactDir: 'trials/a', workspacePath: '/kept' }).toEqual(row);
      expect(resolve(place, artifactDir)).toBe(resolve(run.run.place, 'trials/a'));
      expect(resolve(place, workspacePath)).toBe('/kept');
    });

    test('keeps artifacts without secrets and names them within the run', async () => {
      const run = await begin();
      const failures: unknown[] = [];
      const artifacts = run.artifacts(rowOf('a'), 2, (error) => failures.push(error));
      await artifacts.write('said.txt', `a ${SECRET}`);
      const { directory = '', notes } = await artifacts.close();
      expect(isAbsolute(directory) || directory.startsWith('..')).toBe(false);
      expect(readFileSync(resolve(run.run.place, directory, 'said.txt'), 'utf8')).toBe(`a ${HIDDEN}`);
      expect([notes, failures]).toEqual([[], []]);
      expect(await run.artifacts(rowOf('b'), 1, () => {}).close()).toEqual({ notes: [] });
      const workspace = run.workspaces.placeOf(rowOf('a'), 1);
      expect(resolve(run.run.place, run.workspaces.nameOf(workspace))).toBe(workspace);
      expect(run.workspaces.nameOf('/elsewhere')).toBe('/elsewhere');
    });

    test('computes outcomes, counts and what did not pass from rows, whatever stands in these', async () => {
      await fc.assert(
        fc.asyncProperty(rowLists, fc.nat(), async (rows, which) => {
          const caseId = rows[which % Math.max(1, rows.length)]?.caseId ?? 'none';
          const run = await begin();
          await write(run, rows.map(ended));
          expect(await computedOf(anew(run), caseId)).toEqual(computedFrom(rows, caseId));
          finish(run, rows);
          expect(await computedOf(anew(run), caseId)).toEqual(computedFrom(rows, caseId));
        }),
        { numRuns: 25 },
      );
    });
  });
}

const copyOf = (digest: string, body: string): Frozen => ({ digest, kind: 'case', body });

function namesIn({ run: { name, reference, place }, ...rest }: RunReference): unknown {
  return { name, reference, place, ...rest };
}

/** What a run computes from its rows. */
async function computedOf(run: StoredRun, caseId: string): Promise<unknown> {
  return {
    rows: await all(run.rows()),
    outcomes: (await all(run.outcomes())).flat(),
    counts: await run.counts(),
    unpassed: await all(run.unpassed()),
    ofCase: await all(run.rowsOfCases(new Set([caseId]))),
  };
}

/** The same, computed here. */
function computedFrom(rows: readonly Row[], caseId: string): unknown {
  return {
    rows,
    outcomes: rows.map(outcomeOfRow),
    counts: countsOf(rows),
    unpassed: rows.filter(({ passed, verdict }) => !passed && verdict !== 'skipped'),
    ofCase: rows.filter((row) => row.caseId === caseId),
  };
}
