import { afterEach, expect, test } from 'vitest';

import { rowsOfCases } from './case-rows.ts';
import { all, ended, manifestOf, nothingHidden, rowOf, scratch } from './fixtures/runs.ts';
import { openRunLog } from './log.ts';
import { writeManifest } from './manifest.ts';

const { run, clear } = scratch();
afterEach(clear);

const odd = String.raw`"caseId":"a", \ ünï/%20`;

test.each(['completed', 'running'] as const)(
  'of a run that is %s, the last rows of the named cases are found, whatever texts look like them',
  async (state) => {
    const paths = run();
    const rows = [
      rowOf('a'),
      rowOf('other', { output: '"caseId":"a",' }),
      rowOf('nested', { grades: [{ ...grade, details: { caseId: 'a', x: 1 } }] }),
      rowOf('a', { repetition: 2 }),
      rowOf(odd),
    ];
    const log = openRunLog(paths, nothingHidden, 0);
    await log.append(rows.map(ended));
    log.close();
    writeManifest(paths, manifestOf({ state }), nothingHidden);
    expect(await all(rowsOfCases(paths, new Set(['a', odd, 'missing'])))).toEqual([
      rows[0],
      rows[3],
      rows[4],
    ]);
  },
);

test('in a running run, a trial that ended twice has its last row', async () => {
  const paths = run();
  const log = openRunLog(paths, nothingHidden, 0);
  await log.append([
    ended(rowOf('a', { durationMs: 1 })),
    ended(rowOf('b')),
    ended(rowOf('a', { durationMs: 2 })),
  ]);
  log.close();
  writeManifest(paths, manifestOf({ state: 'running' }), nothingHidden);
  expect(await all(rowsOfCases(paths, new Set(['a'])))).toEqual([rowOf('a', { durationMs: 2 })]);
});

const grade = {
  name: 'g',
  type: 'equals',
  score: 1,
  passed: true,
  weight: 1,
  reason: '',
  durationMs: 1,
  digest: 0,
};
