import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { outcomeOfRow } from '../../src/core/row-outcome.ts';
import type { Attached, Frozen, Row } from '../../src/core/run.ts';
import { DEFAULT_LIMITS } from '../../src/core/limits.ts';
import type { RunSpec } from '../../src/core/run-spec.ts';
import type { RunReference, StoredRun } from '../../src/core/run-store.ts';
import {
  all,
  attemptOf,
  ended,
  manifestOf,
  of,
  rowOf,
  said,
} from '../../src/storage/run-directory/fixtures/runs.ts';
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
  redactor,
  SECRET,
  toldByFacts,
  withoutNumbers,
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

    test('tells its version, which changes with all that is written', async () => {
      const run = await begin(START);
      const { id } = run.manifest;
      const versions = [await store().open(id).version()];
      await write(run, [ended(rowOf('a'))]);
      versions.push(await store().open(id).version());
      await finish(run, []);
      versions.push(await store().open(id).version());
      expect(new Set(versions).size).toBe(3);
      expect(await store().open(id).version()).toBe(versions[2]);
    });

    test('tells what attempts left, by attempt and name', async () => {
      const run = await begin(START);
      for (const attempt of [2, 1]) {
        const artifacts = run.artifacts(rowOf('a'), attempt, () => undefined);
        await artifacts.write('out.txt', 'x'.repeat(attempt));
        await artifacts.close();
      }
      const stored = anew(run);
      const left = await stored.artifacts(rowOf('a'));
      const opened = await stored.artifact(rowOf('a'), { attempt: 2, name: 'out.txt' });
      const content = opened === undefined ? [] : await all(opened.content());
      expect({ left, other: await stored.artifacts(rowOf('b')) }).toEqual({
        left: [
          { attempt: 1, name: 'out.txt', bytes: 1 },
          { attempt: 2, name: 'out.txt', bytes: 2 },
        ],
        other: [],
      });
      expect(Buffer.concat(content).toString()).toBe('xx');
      for (const file of ['', '.', '..', '../out.txt', 'a/../out.txt', 'none', 'out.txt\0']) {
        expect(await stored.artifact(rowOf('a'), { attempt: 2, name: file })).toBeUndefined();
      }
      await run.release();
    });

    test('gives texts that were too large for their line by their sha-256', async () => {
      const stored = anew(await complete(await begin(START), [ended(rowOf('a', { output: LONG }))]));
      const [row] = await all(stored.rows());
      const attachment = (row?.output as Attached | undefined)?.attachment ?? '';
      const opened = await stored.attachment(attachment);
      const content = opened === undefined ? [] : await all(opened.content());
      expect([opened?.bytes, Buffer.concat(content).toString()]).toEqual([Buffer.byteLength(LONG), LONG]);
      for (const unknown of [
        '',
        'a'.repeat(64),
        `../${attachment}`,
        `${attachment}\0`,
        attachment.toUpperCase(),
      ]) {
        expect(await stored.attachment(unknown)).toBeUndefined();
      }
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
      await expect(refused).rejects.toThrow(`"20260102" matches 2 runs: ${one}, ${other}`);
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
      expect(await readAll(run.stored)).toEqual(told);
      expect(await readAll(anew(run))).toEqual(told);

      await finish(run, told.rows);
      const { manifest: kept, ...rest } = await readAll(anew(run));
      expect({ ...rest, manifest }).toEqual(told);
      expect(kept).toEqual({ ...manifest, state: 'completed', exitCode: 0 });
      const { digests: _, ...head } = kept;
      expect(await anew(run).head()).toEqual(head);
    });

    test('reads what its end tells of it', async () => {
      const run = await begin();
      const { rows, beside, counts } = toldByFacts(run.manifest, await write(run, FACTS));
      await finish(run, rows, { events: beside });
      expect(await besideOf(anew(run))).toEqual(beside);
      expect(await anew(run).counts()).toEqual(counts);
    });

    test('tells what was spent as its end has told it', async () => {
      const run = await begin();
      const { rows } = toldByFacts(run.manifest, await write(run, FACTS));
      expect(await anew(run).costs()).toBe(undefined);
      const spent = { knownUsd: 0.5, known: 2, unknown: 1 };
      const costUsd = { agent: spent, user: { ...spent, known: 0 }, judge: spent };
      await finish(run, rows, { costUsd });
      expect(await anew(run).costs()).toEqual(costUsd);
    });

    test('numbers the trials of a log without numbers by their first ends, whatever reads them', async () => {
      const run = await begin();
      const again = [...attemptOf('a', 3, []), ended(rowOf('a', { number: 1, passed: false }))];
      const later = ended(rowOf('d', { number: 4, passed: false }));
      await write(run, [...withoutNumbers(FACTS), ...again, later]);
      const inOrder = [
        ['b', 2],
        ['c', 3],
        ['a', 1],
        ['d', 4],
      ];
      const numbersOf = async (rows: AsyncIterable<Row>) =>
        (await all(rows)).map(({ caseId, number }) => [caseId, number]);
      const numbersRead = async (stored: StoredRun) => ({
        rows: await numbersOf(stored.rows()),
        unpassed: await numbersOf(stored.unpassed()),
        ofCase: await numbersOf(stored.rowsOfCases(new Set(['b']))),
        trials: (await all(stored.trials())).map(({ row: { caseId, number } }) => [caseId, number]),
        ends: (await all(stored.events(10))).flatMap(({ fact }) =>
          fact.type === 'trial-end' ? [[fact.row.caseId, fact.row.number]] : [],
        ),
      });
      const expected = {
        rows: inOrder,
        unpassed: inOrder.filter(([caseId]) => caseId !== 'c'),
        ofCase: [['b', 2]],
        trials: inOrder,
        ends: [['a', 1], ...inOrder],
      };
      expect(await numbersRead(anew(run))).toEqual(expected);
      await finish(run, []);
      const claimed = await store().claim(anew(run));
      await claimed.keepRows(() => true);
      await claimed.release();
      expect(await numbersRead(anew(run))).toEqual(expected);
    });

    test('resolves an entry that was put aside, and refuses one that it does not have', async () => {
      const run = await complete(await begin(), [
        ...attemptOf('a', 1, []),
        of('a', { type: 'transcript-entry', entry: said('e1', `${LONG} ${SECRET}`) }),
      ]);
      const [aside] = (await all(run.stored.events())).flatMap(({ fact }) =>
        fact.type === 'transcript-entry' ? [fact.entry] : [],
      );
      if (aside === undefined || !('attachment' in aside)) throw new Error('the entry stands in its place');
      expect(await run.stored.wholeEntry(aside)).toEqual(said('e1', `${LONG} ${HIDDEN}`));
      const lost = async () => run.stored.wholeEntry({ ...aside, attachment: 'a'.repeat(64) });
      expect(await codeOf(lost())).toBe('run-unreadable');
    });

    test('keeps the first copy under each digest, without secrets, and finds copies by digest', async () => {
      const run = await begin();
      await run.keepFrozen([copyOf('aa', `one ${SECRET}`), copyOf('bb', 'two')]);
      await run.keepFrozen([copyOf('bb', 'other'), copyOf('cc', 'three')]);
      const kept = [copyOf('aa', `one ${HIDDEN}`), copyOf('bb', 'two'), copyOf('cc', 'three')];
      expect(await all(anew(run).frozen())).toEqual(kept);
      expect(await all(anew(run).frozen(new Set(['cc', 'dd'])))).toEqual(kept.slice(2));
    });

    test('keeps the last spec, without secrets, with the digests of its manifest', async () => {
      expect(await anew(await begin()).spec()).toBe(undefined);
      const run = await store().create({
        startedAt: START + DAY,
        redactor,
        spec: { ...specOf('one'), replays: { latest: 'another' } },
        manifest: (id) => manifestOf({ id, state: 'running', digests: ['x'] }),
      });
      expect(await anew(run).spec()).toMatchObject({ replays: { latest: 'another' }, digests: ['x'] });
      await run.keepSpec(specOf(SECRET));
      const kept = { ...specOf(HIDDEN), digests: run.manifest.digests };
      expect([await anew(run).spec(), await run.stored.spec()]).toEqual([kept, kept]);
    });

    test('gives rows to another run with their answers whole and their files where they are', async () => {
      const row = rowOf('a', { output: LONG, artifactDir: 'trials/a', workspacePath: '/kept' });
      const run = await complete(await begin(), [ended(row)]);
      const [kept = row] = await all(run.stored.rows());
      expect(kept.output).not.toBe(LONG);
      const { stored: other } = await begin(START + DAY);
      const { artifactDir = '', workspacePath = '', ...moved } = await anew(run).movedRow(kept, other);
      expect({ ...moved, artifactDir: 'trials/a', workspacePath: '/kept' }).toEqual(row);
      expect(other.placeOf(artifactDir)).toBe(run.stored.placeOf('trials/a'));
      expect(other.placeOf(workspacePath)).toBe('/kept');
    });

    test('keeps artifacts without secrets and names them within the run', async () => {
      const run = await begin();
      const failures: unknown[] = [];
      const artifacts = run.artifacts(rowOf('a'), 2, (error) => failures.push(error));
      await artifacts.write('said.txt', `a ${SECRET}`);
      const { directory = '', notes } = await artifacts.close();
      expect(isAbsolute(directory) || directory.startsWith('..')).toBe(false);
      expect(readFileSync(run.stored.placeOf(`${directory}/said.txt`), 'utf8')).toBe(`a ${HIDDEN}`);
      expect([notes, failures]).toEqual([[], []]);
      expect(await run.artifacts(rowOf('b'), 1, () => {}).close()).toEqual({ notes: [] });
      const workspace = run.workspaces.placeOf(rowOf('a'), 1);
      expect(run.stored.placeOf(run.workspaces.nameOf(workspace))).toBe(workspace);
      expect(run.stored.placeOf(run.workspaces.nameOf('/elsewhere'))).toBe('/elsewhere');
    });

    test('tells which run what lies in it belongs to, under the name that rows give it', async () => {
      const run = await begin();
      const artifacts = run.artifacts(rowOf('a'), 1, () => {});
      await artifacts.write('said.txt', 'a');
      const { directory = '' } = await artifacts.close();
      await complete(run, []);
      const { run: found, name: within } = (await store().around(run.stored.placeOf(directory))) ?? {};
      expect([found?.name, within]).toEqual([run.manifest.id, directory]);
      expect(await store().around(folder())).toBeUndefined();
    });

    test('computes outcomes, counts and what did not pass from rows, whatever stands in these', async () => {
      await fc.assert(
        fc.asyncProperty(rowLists, fc.nat(), async (rows, which) => {
          const caseId = rows[which % Math.max(1, rows.length)]?.caseId ?? 'none';
          const run = await begin();
          await write(run, rows.map(ended));
          expect(await computedOf(anew(run), caseId)).toEqual(computedFrom(rows, caseId));
          await finish(run, rows);
          expect(await computedOf(anew(run), caseId)).toEqual(computedFrom(rows, caseId));
        }),
        { numRuns: 25 },
      );
    });
  });
}

const copyOf = (digest: string, body: string): Frozen => ({ digest, kind: 'case', body });

/** `text` wherever somebody may have written something. */
function specOf(text: string): RunSpec {
  return {
    formatVersion: 1,
    options: { patterns: [], targets: [], cases: ['a'] },
    settings: {
      seed: 1,
      concurrency: 2,
      threshold: 0.8,
      retryInfrastructure: 1,
      maxErrored: 0,
      failFast: false,
      limits: DEFAULT_LIMITS,
    },
    suites: [{ id: 's', file: '/project/s', cases: 1 }],
    kinds: [
      {
        suite: 0,
        targets: ['t'],
        repeat: 1,
        graderCount: 1,
        judges: [{ model: 'a/b', baseUrl: text }],
        skip: { kind: 'skip', reason: text },
      },
    ],
    cases: { id: ['a'], at: [0], kind: [0], digest: [0], graders: [1] },
    targets: [{ name: 't', type: 'mock', written: { type: 'mock', response: text }, digest: 2 }],
    judges: { ofConfig: { model: 'a/b', baseUrl: text }, targets: ['t'] },
    user: { written: { type: 'scripted', messages: [text] }, isAsked: false },
    replays: {},
    digests: [],
  };
}

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
