import { writeFileSync } from 'node:fs';

import { afterEach, expect, test } from 'vitest';

import type { Row } from '../../core/run.ts';
import { all, ended, manifestOf, nothingHidden, rowOf, scratch } from './fixtures/runs.ts';
import { openRunLog } from './log.ts';
import { writeManifest } from './manifest.ts';
import type { RunPaths } from './paths.ts';
import { unpassedRows, statuses } from './row-lines.ts';

const { run, clear } = scratch();
afterEach(clear);

async function runWith(rows: readonly Row[], state: 'running' | 'completed'): Promise<RunPaths> {
  const paths = run();
  const log = openRunLog(paths, nothingHidden, 0);
  await log.append(rows.map(ended));
  log.close();
  writeManifest(paths, manifestOf({ state }), nothingHidden);
  return paths;
}

const bad = { passed: false, score: 0 } as const;
const lying = '"verdict":"passed","status":"passed","passed":true';
const error = { stage: 'target', kind: 'contract', code: 'contract', message: lying } as const;

const ROWS: readonly Row[] = [
  rowOf('plain'),
  rowOf(lying, { verdict: 'failed', status: 'failed', ...bad, output: lying }),
  rowOf('expected', { verdict: 'failed', status: 'expected-failed', passed: true, score: 0 }),
  rowOf('surprise', { status: 'unexpected-passed', passed: false }),
  rowOf('broken', {
    verdict: 'errored',
    status: 'errored',
    ...bad,
    score: null,
    error,
    attempts: [{ durationMs: 1, error }],
  }),
  rowOf('left', { verdict: 'skipped', status: 'skipped', ...bad, score: null, skipped: 'draft' }),
  rowOf('ünïcode \u2028', { verdict: 'cancelled', status: 'cancelled', ...bad, score: null }),
];

test.each(['completed', 'running'] as const)(
  'of a run that is %s, statuses and unpassed rows are those of its rows',
  async (state) => {
    const paths = await runWith(ROWS, state);
    expect(await all(statuses(paths))).toEqual(ROWS.map(({ status }) => status));
    const unpassed = ROWS.filter(({ passed, verdict }) => !passed && verdict !== 'skipped');
    expect(await all(unpassedRows(paths))).toEqual(unpassed);
  },
);

test('a row in an unusual format is parsed completely', async () => {
  const paths = await runWith([], 'completed');
  const spaced = JSON.stringify(
    { verdict: 'failed', status: 'expected-failed', passed: true },
    undefined,
    1,
  ).replaceAll('\n', ' ');
  writeFileSync(paths.rows, `${spaced}\n`);
  expect(await all(statuses(paths))).toEqual(['expected-failed']);
  expect(await all(unpassedRows(paths))).toEqual([]);
});
