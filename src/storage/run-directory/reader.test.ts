import { appendFileSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';

import { afterEach, describe, expect, test } from 'vitest';

import type { Emitted } from '../../core/run.ts';
import {
  all,
  AT,
  attemptOf,
  ended,
  manifestOf,
  note,
  nothingHidden,
  of,
  rowOf,
  said,
  scratch,
} from './fixtures/runs.ts';
import { emptyTally } from '../../reading/tally.ts';
import { openRunLog } from './log.ts';
import { writeManifest } from './manifest.ts';
import { outcomeRows } from './outcome-rows.ts';
import type { RunPaths } from './paths.ts';
import { lastRows, openRunReader } from './reader.ts';
import { statuses, unpassedRows } from './row-lines.ts';
import { storedRun } from './stored-run.ts';
import { keptEnd } from './told-at-end.ts';

const { run, clear } = scratch();
afterEach(clear);

/** A run directory with these events. */
async function runWith(
  facts: readonly Emitted[],
  state: 'running' | 'completed' = 'completed',
): Promise<RunPaths> {
  const paths = run();
  const log = openRunLog(paths, nothingHidden, 0);
  await log.append(facts);
  log.close();
  writeManifest(paths, manifestOf({ state }), nothingHidden);
  return paths;
}

const key = (caseId: string): string => `s/${caseId}/t/r1`;
const errored = (caseId: string) =>
  rowOf(caseId, { verdict: 'errored', status: 'errored', passed: false, score: null, output: null });

/** Two trials side by side, the first of which was errored and made again later. */
const SIDE_BY_SIDE: readonly Emitted[] = [
  ...attemptOf('a', 1, ['a1']),
  ...attemptOf('b', 1, ['b1', 'b2']),
  ended(errored('a')),
  ended(rowOf('b')),
  ...attemptOf('a', 2, ['a2', 'a3']),
  ended(rowOf('a', { attempts: [{ durationMs: 1 }, { durationMs: 2 }] })),
];
const A_AGAIN = rowOf('a', { attempts: [{ durationMs: 1 }, { durationMs: 2 }] });

test('events without rows are read for the run, and for trials that had ended', async () => {
  const facts = [
    note('of the run'),
    of('a', { type: 'trial-start' }),
    of('a', { type: 'note', text: 'in the row' }),
    ended(rowOf('a')),
    of('a', { type: 'note', text: 'late' }),
    { at: AT, trial: key('a'), fact: { type: 'note', text: 'later' } },
    of('a', { type: 'trial-start' }),
    of('a', { type: 'note', text: 'again in the row' }),
  ] as const;
  const { runEvents } = openRunReader(await runWith(facts));
  const told = runEvents === undefined ? undefined : await all(runEvents());
  expect(told).toEqual([0, 4, 5].map((index) => ({ sequence: index + 1, ...facts[index] })));
});

test('what rows tell is not told once more, whatever the id of the case looks like', async () => {
  const facts = [
    ...attemptOf(String.raw`say "hi" to C:\dir`, 1, ['hi']),
    ended(rowOf(String.raw`say "hi" to C:\dir`)),
    note('of the run'),
  ];
  const { runEvents } = openRunReader(await runWith(facts));
  const told = runEvents === undefined ? undefined : await all(runEvents());
  expect(told).toEqual([{ sequence: facts.length, ...note('of the run') }]);
});

test('where run.json tells that, the log of a run that has ended is not checked unless it has changed', async () => {
  const paths = await runWith([note('of the log')]);
  const told = [{ sequence: 7, ...note('of run.json') }];
  const read = async () => {
    const { runEvents } = openRunReader(paths);
    return runEvents === undefined ? undefined : await all(runEvents());
  };
  const { byStatus, costUsd } = emptyTally;
  const keep = (manifest = manifestOf()) => {
    const end = keptEnd(paths, { byStatus, costUsd, events: told });
    writeManifest(paths, { ...manifest, ...end }, nothingHidden);
  };
  const logged = { sequence: 1, ...note('of the log') };
  keep();
  expect(await read()).toEqual(told);
  keep(manifestOf({ state: 'running' }));
  expect(await read()).toEqual([logged]);
  keep();
  const edited = readFileSync(paths.events, 'utf8').replace('of the log', 'by a hand!');
  writeFileSync(paths.events, edited);
  utimesSync(paths.events, new Date(), new Date(Date.now() + 5_000));
  expect(await read()).toEqual([{ sequence: 1, ...note('by a hand!') }]);
  writeFileSync(paths.events, edited.replace('by a hand!', 'of the log'));
  keep();
  expect(await read()).toEqual(told);
  const later = { sequence: 2, ...note('later') };
  appendFileSync(paths.events, `${JSON.stringify(later)}\n`);
  expect(await read()).toEqual([logged, later]);
});

describe('rows', () => {
  test('of a run that has ended are those of results.jsonl, in their order', async () => {
    const paths = await runWith([ended(rowOf('b')), ended(rowOf('a'))]);
    writeFileSync(paths.events, 'not checked');
    expect(await all(openRunReader(paths).rows())).toEqual([rowOf('b'), rowOf('a')]);
  });

  test('of a run whose process died are those of the log: one a trial, the last one, in the order of their ends', async () => {
    const paths = await runWith(SIDE_BY_SIDE, 'running');
    writeFileSync(paths.rows, 'torn');
    expect(await all(openRunReader(paths).rows())).toEqual([rowOf('b'), A_AGAIN]);
    expect(await all(lastRows(paths.events))).toEqual([rowOf('b'), A_AGAIN]);
  });

  test('of a run in progress can be read from results.jsonl by the process that writes it', async () => {
    const paths = await runWith([ended(rowOf('a'))], 'running');
    writeFileSync(paths.events, '');
    expect(await all(openRunReader(paths, { trustRows: true }).rows())).toEqual([rowOf('a')]);
  });

  test('are empty for a run that has not written anything', async () => {
    const paths = run();
    writeManifest(paths, manifestOf(), nothingHidden);
    expect(await all(openRunReader(paths).rows())).toEqual([]);
    writeManifest(paths, manifestOf({ state: 'running' }), nothingHidden);
    expect(await all(openRunReader(paths).rows())).toEqual([]);
  });

  test('end before a torn last line', async () => {
    const paths = await runWith([ended(rowOf('a'))]);
    appendFileSync(paths.rows, '{"suite":"s"');
    appendFileSync(paths.events, '{"sequence":2,"fact":');
    expect(await all(openRunReader(paths).rows())).toEqual([rowOf('a')]);
    expect(await all(lastRows(paths.events))).toEqual([rowOf('a')]);
  });
});

describe('transcripts', () => {
  test('are those of the last attempt of the trials asked for', async () => {
    const reader = openRunReader(await runWith(SIDE_BY_SIDE));
    expect(await reader.transcripts(new Set([key('a'), key('nobody')]))).toEqual(
      new Map([[key('a'), [said('e1', 'a2'), said('e2', 'a3')]]]),
    );
    expect(await reader.transcripts(new Set())).toEqual(new Map());
  });

  test('are whole, also where an entry was put aside', async () => {
    const text = '漢'.repeat(70_000);
    const reader = openRunReader(await runWith(attemptOf('a', 1, [text, 'short'])));
    expect(await reader.transcripts(new Set([key('a')]))).toEqual(
      new Map([[key('a'), [said('e1', text), said('e2', 'short')]]]),
    );
  });

  test('of a trial that has ended stay what they were when a further attempt was killed', async () => {
    const reader = openRunReader(
      await runWith([
        ...attemptOf('a', 1, ['measured']),
        ended(errored('a')),
        ...attemptOf('a', 2, ['lost']),
      ]),
    );
    expect(await reader.transcripts(new Set([key('a')]))).toEqual(
      new Map([[key('a'), [said('e1', 'measured')]]]),
    );
  });

  test('of a trial whose end a resumption dropped are those of the attempt that began after it', async () => {
    const dropped = [key('a')];
    const paths = await runWith([
      ...attemptOf('a', 1, ['of another suite']),
      ended(errored('a')),
      ...attemptOf('b', 1, ['b1']),
      ended(errored('b')),
      { at: '2026-01-01T00:00:00.000Z', fact: { type: 'run-resume', remaining: 1, dropped } },
      ...attemptOf('a', 1, ['anew']),
    ]);
    const anew = [key('a'), [said('e1', 'anew')]] as const;
    expect(await openRunReader(paths).transcripts(new Set([key('a')]))).toEqual(new Map([anew]));
    const many = new Set(['a', 'b', 'c', 'd', 'e'].map(key));
    expect(await openRunReader(paths).transcripts(many)).toEqual(
      new Map([anew, [key('b'), [said('e1', 'b1')]]]),
    );
  });

  test('of an attempt that said nothing are empty', async () => {
    const reader = openRunReader(await runWith([...attemptOf('a', 1, ['x']), ...attemptOf('a', 2, [])]));
    expect(await reader.transcripts(new Set([key('a')]))).toEqual(new Map([[key('a'), []]]));
  });
});

describe('a run that is not whole', () => {
  test.each([
    [
      'an attachment that is gone',
      (paths: RunPaths) => rmSync(paths.attachments, { recursive: true }),
      'attachments/',
    ],
    [
      'an invalid line of the trial',
      (paths: RunPaths) => appendFileSync(paths.events, `{"trial":"${key('a')}" bad\n`),
      'events.jsonl',
    ],
  ])('names the file and says what to do: %s', async (_, harm, named) => {
    const paths = await runWith([...attemptOf('a', 1, ['x'.repeat(70_000)]), ended(rowOf('a'))]);
    harm(paths);
    const problem = {
      code: 'run-unreadable',
      message: expect.stringContaining(named),
      hint: expect.any(String),
    };
    const transcripts = openRunReader(paths).transcripts(new Set([key('a')]));
    await expect(transcripts).rejects.toMatchObject(problem);
  });

  test('is reported also if one of its rows is broken', async () => {
    const paths = await runWith([ended(rowOf('a'))]);
    appendFileSync(paths.rows, '{bad\n');
    const problem = { code: 'run-unreadable', message: expect.stringContaining('results.jsonl') };
    await expect(all(openRunReader(paths).rows())).rejects.toMatchObject(problem);
    await expect(all(outcomeRows(paths))).rejects.toMatchObject(problem);
    await expect(all(unpassedRows(paths))).rejects.toMatchObject(problem);
    await expect(all(statuses(paths))).rejects.toMatchObject(problem);
  });
});

describe('stored trials', () => {
  test('come with the transcript of their last attempt, in the order of their last ends', async () => {
    expect(await all(storedRun(await runWith(SIDE_BY_SIDE), { outputDirectory: '/' }).trials())).toEqual([
      { row: rowOf('b'), transcript: [said('e1', 'b1'), said('e2', 'b2')] },
      { row: A_AGAIN, transcript: [said('e1', 'a2'), said('e2', 'a3')] },
    ]);
  });

  test('are whole, also where an entry was put aside', async () => {
    const text = 'x'.repeat(70_000);
    const paths = await runWith([...attemptOf('a', 1, [text]), ended(rowOf('a'))]);
    expect(await all(storedRun(paths, { outputDirectory: '/' }).trials())).toEqual([
      { row: rowOf('a'), transcript: [said('e1', text)] },
    ]);
  });

  test('leave out a trial without an end, and keep its words from the attempt that follows', async () => {
    const paths = await runWith([
      ...attemptOf('a', 1, ['lost']),
      ...attemptOf('b', 1, ['abandoned']),
      ...attemptOf('a', 1, ['kept']),
      ended(rowOf('a')),
    ]);
    expect(await all(storedRun(paths, { outputDirectory: '/' }).trials())).toEqual([
      { row: rowOf('a'), transcript: [said('e1', 'kept')] },
    ]);
  });

  test('that were skipped have no words', async () => {
    const skipped = rowOf('a', {
      verdict: 'skipped',
      status: 'skipped',
      passed: false,
      skipped: 'draft',
      attempts: [],
    });
    const paths = await runWith([ended(skipped), of('b', { type: 'note', text: 'n' })]);
    expect(await all(storedRun(paths, { outputDirectory: '/' }).trials())).toEqual([
      { row: skipped, transcript: [] },
    ]);
  });
});
